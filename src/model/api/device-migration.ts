import {
  column, conditions, count, countOrPercent, crd, dnsLabel, dnsSubdomain, flag, keyedList, labelSelector, list, map, object, set, text, time, word,
} from './crd-schema';
import type { CustomResourceDefinition } from '../../../imports/types';
import { PHASES, type Phase } from '../phases/phase';

/** A number of nodes, or a share of the pool such as `10%`, rounded up. */
export type CountOrPercent = number | string;

/** As `metav1.LabelSelector`. */
export interface LabelSelector {
  readonly matchLabels?: { readonly [key: string]: string };
  readonly matchExpressions?: readonly LabelRequirement[];
}

export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

/** How far a pool of one device family has moved from a device plugin to DRA; the whole plan of it, for Git. */
export interface DeviceMigrationSpec {
  /** Kind of device, e.g. `gpu`; never changes. */
  readonly family: string;
  /** The DRA driver; never changes. */
  readonly driver: string;
  /** Which nodes are the pool; no other migration of the family may select one of them. */
  readonly nodes: LabelSelector;
  /** Migrations of the same family whose nodes are others although the selectors do not say so; checked where nodes are known. */
  readonly assumesDisjoint?: readonly string[];
  /** Classes that offer devices of this pool. */
  readonly deviceClassNames: readonly string[];
  /** The way that workloads get these devices today. */
  readonly legacy?: LegacyPathSpec;
  /** The furthest phase that is allowed. */
  readonly phase: Phase;
  readonly canary?: CanarySpec;
  readonly expand?: ExpandSpec;
  readonly gates?: readonly GateSpec[];
  readonly handover?: HandoverSpec;
  /** Migrations of one name move in one drain: other families on the same nodes. */
  readonly group?: string;
  readonly onGateFailure?: 'Hold' | 'Rollback';
  readonly optimizeFor?: 'Continuity' | 'Throughput' | 'Utilization';
  readonly windows?: readonly WindowSpec[];
  readonly change?: { readonly ticket?: string; readonly approvedBy?: string };
}

export interface LegacyPathSpec {
  /** Extended resources that the device plugin advertises. */
  readonly resources: readonly LegacyResourceSpec[];
  /** Which plugin, as its profile names it, e.g. `NVIDIA/k8s-device-plugin`. */
  readonly plugin?: string;
}

export interface LegacyResourceSpec {
  readonly name: string;
  /** Units of the resource for one whole device: more than 1 with time-slicing or MPS. */
  readonly unitsPerDevice?: number;
  /** Set where a unit is a part of a device, e.g. a MIG profile. */
  readonly partition?: string;
}

export interface CanarySpec {
  readonly nodes: CountOrPercent;
  /** Narrows which nodes are chosen. */
  readonly selector?: LabelSelector;
  /** Who may use them. */
  readonly namespaces: readonly string[];
}

export interface ExpandSpec {
  /** Shares of the pool, rising; the next is taken when the gates hold. */
  readonly steps?: readonly CountOrPercent[];
  /** Nodes with one value of this label move together, e.g. a rack or an NVLink domain. */
  readonly unit?: { readonly topologyKey: string };
  /** Nodes that stay with the device plugin until `AllWorkloads`. */
  readonly legacyFloor?: CountOrPercent;
}

/** A condition for going on; figures are defined in docs/migration.md. */
export interface GateSpec {
  readonly name: string;
  readonly type: GateType;
  /** A ratio from 0 to 1 as text, e.g. `0.99`. */
  readonly atLeast?: string;
  /** A quotient as text, e.g. `1.5`. */
  readonly atMost?: string;
  /** A difference of times that counts as none, at least `2s`. */
  readonly tolerance?: string;
  readonly minimumSample?: number;
  /** For how long it must hold, e.g. `30m`. */
  readonly duration?: string;
}

export const GATE_TYPES = ['AllocationSuccess', 'CapacityConverged', 'PrepareSuccess', 'StartLatency', 'NoDoubleOwner', 'NodesReporting', 'Manual'] as const;
export type GateType = typeof GATE_TYPES[number];

export interface HandoverSpec {
  readonly strategy?: 'WaitForIdle' | 'Evict' | 'Replace';
  /** How long a node may wait for its work to end, e.g. `72h`. */
  readonly deadline?: string;
  readonly onDeadline?: 'Hold' | 'Skip' | 'Evict';
  /** Nodes in hand-over at once. */
  readonly parallelism?: CountOrPercent;
  /** Nodes that may wait for work to end at once. */
  readonly maxNodesWaiting?: CountOrPercent;
  /** Idle device hours that waiting may cost. */
  readonly maxIdleDeviceHours?: number;
}

/** When nodes may be handed over. */
export interface WindowSpec {
  /** Five fields of cron, in `timeZone`. */
  readonly start: string;
  /** E.g. `4h`. */
  readonly duration: string;
  /** IANA name; UTC by default. */
  readonly timeZone?: string;
}

/** Owner of the devices of a family on a node. */
export type DeviceOwner = 'device-plugin' | 'handover' | 'dra';

/** What is, as the controller or the CLI saw it last. */
export interface DeviceMigrationStatus {
  readonly observedGeneration?: number;
  /** The phase that the pool is really in; behind `spec.phase` while gates, holds or nodes hold it back. */
  readonly phase?: Phase;
  readonly nodes?: { readonly total?: number; readonly devicePlugin?: number; readonly handover?: number; readonly dra?: number };
  readonly canaryNodes?: readonly string[];
  readonly waitingOn?: readonly string[];
  readonly since?: string;
  readonly next?: string;
}

const DURATION = { type: 'string', maxLength: 16, pattern: '^([0-9]+h)?([0-9]+m)?([0-9]+s)?$', minLength: 2 };
const EXTENDED_RESOURCE = { type: 'string', minLength: 3, maxLength: 317, pattern: '^[a-z0-9.-]+/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$' };
const RATIO = { type: 'string', maxLength: 8, pattern: '^(0(\\.[0-9]{1,4})?|1(\\.0{1,4})?)$' };

const QUOTIENT = { type: 'string', maxLength: 16, pattern: '^(0|[1-9][0-9]{0,3})(\\.[0-9]{1,4})?$' };

const SPEC_RULES = [
  {
    rule: `self.phase == oldSelf.phase || ${orderOf('self.phase')} <= ${orderOf('oldSelf.phase')} + 1`,
    messageExpression: '"A pool moves on one phase at a time, not from " + oldSelf.phase + " to " + self.phase + ". Going back may skip phases."',
    fieldPath: '.phase',
  },
  { rule: 'self.family == oldSelf.family', message: 'never changes. Retire this migration and make another one', fieldPath: '.family' },
  { rule: 'self.driver == oldSelf.driver', message: 'never changes. Retire this migration and make another one', fieldPath: '.driver' },
  {
    rule: `has(self.canary) || ${orderOf('self.phase')} < ${PHASES.indexOf('Canary')}`,
    message: 'canary must be set from phase Canary on: which nodes, and whose namespaces',
    fieldPath: '.canary',
  },
  {
    // Of numbers only: a share has no length that the server would count with, so that any work on its text is beyond the cost it allows.
    rule: "self.phase != 'Canary' || oldSelf.phase != 'Canary' || !has(self.canary) || !has(oldSelf.canary)"
      + ' || type(self.canary.nodes) != int || type(oldSelf.canary.nodes) != int || int(self.canary.nodes) >= int(oldSelf.canary.nodes)',
    message: 'must not shrink while the pool is in Canary, since devices on chosen nodes may be held. Go back to Observe first: the nodes are given back as they empty',
    fieldPath: '.canary.nodes',
  },
  {
    rule: 'has(self.nodes.matchLabels) && self.nodes.matchLabels.size() > 0 || has(self.nodes.matchExpressions) && self.nodes.matchExpressions.size() > 0',
    message: 'must select by at least one label: an empty selector means every node',
    fieldPath: '.nodes',
  },
];

/** CRD of DeviceMigration; what spans several migrations is proved at synth and by `kubectl-dra check`. */
export const DEVICE_MIGRATION_CRD: CustomResourceDefinition = crd({
  kind: 'DeviceMigration',
  plural: 'devicemigrations',
  shortName: 'dm',
  scope: 'Cluster',
  columns: [
    column('Family', '.spec.family'),
    column('Target', '.spec.phase'),
    column('Actual', '.status.phase'),
    column('DRA', '.status.nodes.dra', 'integer'),
    column('Plugin', '.status.nodes.devicePlugin', 'integer'),
    column('Waiting', '.status.waitingOn[0]'),
    column('Since', '.status.since', 'date'),
    column('Next', '.status.next', 'string', 1),
  ],
  schema: object({
    spec: object({
      family: { ...dnsLabel(), maxLength: 40 },
      driver: dnsSubdomain(63),
      nodes: labelSelector(),
      assumesDisjoint: set(dnsSubdomain(), 256),
      deviceClassNames: { ...set(dnsSubdomain(), 64), minItems: 1 },
      legacy: object({
        resources: { ...keyedList('name', object({ name: EXTENDED_RESOURCE, unitsPerDevice: { ...count(1), maximum: 4096 }, partition: text(63) }, ['name']), 16), minItems: 1 },
        plugin: text(253),
      }, ['resources']),
      phase: word(...PHASES),
      canary: object({
        nodes: countOrPercent(), selector: labelSelector(), namespaces: { ...set(dnsLabel(), 256), minItems: 1 },
      }, ['nodes', 'namespaces']),
      expand: object({
        steps: list(countOrPercent(), 32),
        unit: object({ topologyKey: { ...text(317), minLength: 1 } }, ['topologyKey']),
        legacyFloor: countOrPercent(),
      }),
      gates: keyedList('name', object({
        name: dnsLabel(),
        type: word(...GATE_TYPES),
        atLeast: RATIO,
        atMost: QUOTIENT,
        tolerance: DURATION,
        minimumSample: count(1),
        duration: DURATION,
      }, ['name', 'type']), 16),
      handover: object({
        strategy: word('WaitForIdle', 'Evict', 'Replace'),
        deadline: DURATION,
        onDeadline: word('Hold', 'Skip', 'Evict'),
        parallelism: countOrPercent(),
        maxNodesWaiting: countOrPercent(),
        maxIdleDeviceHours: count(),
      }),
      group: dnsLabel(),
      onGateFailure: word('Hold', 'Rollback'),
      optimizeFor: word('Continuity', 'Throughput', 'Utilization'),
      windows: list(object({ start: { ...text(64), minLength: 9 }, duration: DURATION, timeZone: text(64) }, ['start', 'duration']), 16),
      change: object({ ticket: text(253), approvedBy: text(253) }),
    }, ['family', 'driver', 'nodes', 'deviceClassNames', 'phase'], SPEC_RULES),
    status: object({
      observedGeneration: count(),
      phase: word(...PHASES),
      conditions: conditions(),
      nodes: object({ total: count(), devicePlugin: count(), handover: count(), dra: count() }),
      canaryNodes: set(dnsSubdomain(), 512),
      capacity: keyedList('deviceClassName', object({
        deviceClassName: text(253), legacy: count(), dra: count(), used: count(), largest: count(),
      }, ['deviceClassName']), 64),
      stages: list(object({ name: text(63), nodes: count(), state: text(32), since: time() }, ['name']), 64),
      gates: keyedList('name', object({
        name: text(63), state: word('Open', 'Closed', 'NotYet'), value: text(64), sample: count(), message: text(1024),
      }, ['name', 'state']), 16),
      waitingOn: list(text(1024), 16),
      since: time(),
      next: text(1024),
      held: flag(),
      history: list(object({ time: time(), from: text(32), to: text(32), by: text(253), message: text(1024) }, ['time', 'to']), 32),
      evidence: map(text(1024), 16),
    }),
  }, ['spec'], [{ rule: 'self.metadata.name.size() <= 63', message: 'the name must have at most 63 characters: it is the value of a node label' }]),
});

/** The place of a phase in the order, as an expression. */
function orderOf(phase: string): string {
  return `{${PHASES.map((name, index) => `'${name}': ${index}`).join(', ')}}[${phase}]`;
}
