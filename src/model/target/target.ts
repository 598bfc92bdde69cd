import { describeProblem } from '../problem';
import { servedVersions, isResourceKind, RESOURCE_GROUP, RESOURCE_KINDS } from './api-versions';
import { chosenGates, parseGates } from './gate-choice';
import type { TargetGates } from './gate-choice';
import { gateAt, gateSince, GATE_NAMES, gateClosure, gateComponents, isGateName, maturityOf } from './gate-state';
import { gatedFields } from './gated-fields';
import { COMPONENTS, GATES } from './gates';
import type { Component, GateName, Maturity, Stage } from './gates';
import { gateRequirements, list, supportOf } from './support';
import type { FieldSupport, GateView } from './support';
import { compareMinors, MINORS, parseMinor } from './versions';
import type { Minor } from './versions';

/** One feature as a cluster has it. */
export interface Feature {
  readonly gate: GateName;
  /** What the gate switches, as a title. */
  readonly title: string;
  /** Undefined when the cluster's minor does not know the gate. */
  readonly stage?: Stage;
  readonly default: boolean;
  readonly locked: boolean;
  /** On, with everything that it needs, in every component that reads it. */
  readonly enabled: boolean;
  /** Components that read the gate and have it off; empty when the minor does not know it. */
  readonly offAt: readonly Component[];
  readonly maturity: Maturity;
  /** First minor that knows the gate, not before the oldest known one. */
  readonly since: Minor;
  /** First minor that has the gate on by default. */
  readonly defaultOnFrom?: Minor;
  readonly components: readonly Component[];
}

/** What a cluster of one minor with given feature gates can do. */
export class Target implements GateView {
  /**
   * A cluster of a version, e.g. `1.36` or `v1.36.3`; gates that are not named have the defaults of that minor.
   *
   * Throws when no such cluster would start: an unknown gate or component, a locked gate, a gate without one that it needs.
   */
  public static of(version: string, gates: TargetGates = {}): Target {
    const minor = parseMinor(version);
    if (typeof minor !== 'string') {
      throw new Error(describeProblem('version', version, minor));
    }
    return new Target(minor, chosenGates(minor, gates));
  }

  /** As {@link of}, with gates as on a command line: `DRADeviceTaints=true,kubelet:DRAExtendedResource=false`. */
  public static parse(version: string, gates: string = ''): Target {
    return Target.of(version, parseGates(gates));
  }

  /** Asked once for each object of a check. */
  private readonly kinds = new Map<string, FieldSupport>();

  private constructor(public readonly minor: Minor, private readonly on: ReadonlyMap<Component, ReadonlySet<GateName>>) {}

  /** Whether one component has a gate on, whatever the gate itself needs. */
  public isOn(gate: GateName, component: Component): boolean {
    return this.on.get(component)?.has(gate) ?? false;
  }

  /** Whether the cluster is of this version or a later one. */
  public atLeast(minor: Minor): boolean {
    return compareMinors(this.minor, minor) >= 0;
  }

  /**
   * Whether a gate, with every gate that it needs, is on in a component.
   *
   * Without a component: in all components that read the gate. False for a name that is no known gate.
   */
  public enabled(gate: string, component?: Component): boolean {
    if (!isGateName(gate)) {
      return false;
    }
    return component === undefined
      ? gateRequirements(gate, this.minor).every(needed => needed.components.every(one => this.isOn(needed.gate, one)))
      : gateClosure(gate).every(needed => this.isOn(needed, component));
  }

  /** Whether the cluster does what a field says, by Kubernetes' type name and the field's JSON name. */
  public fieldSupport(definition: string, field: string): FieldSupport {
    const support = supportOf(this, gatedFields(definition, field));
    return support.supported ? supportOf(this, gatedFields(definition)) : support;
  }

  /** As {@link fieldSupport}, for one value of the field, e.g. the effect `None` of a `DeviceTaint`. */
  public valueSupport(definition: string, field: string, value: string): FieldSupport {
    const support = supportOf(this, gatedFields(definition, field, value));
    return support.supported ? this.fieldSupport(definition, field) : support;
  }

  /** Whether the cluster acts on objects of a kind, e.g. `DeviceTaintRule`. */
  public kindSupport(kind: string): FieldSupport {
    let support = this.kinds.get(kind);
    if (support === undefined) this.kinds.set(kind, support = this.judgeKind(kind));
    return support;
  }

  private judgeKind(kind: string): FieldSupport {
    const support = supportOf(this, gatedFields(kind));
    if (support.supported || !isResourceKind(kind)) {
      return support;
    }
    const { preferred, onByDefault } = servedVersions(kind, this.minor);
    return preferred === undefined || onByDefault.includes(preferred)
      ? support
      : { ...support, help: `${support.help} Also serve the API: --runtime-config=${RESOURCE_GROUP}/${preferred}=true.` };
  }

  /**
   * The API version to write for a kind of `resource.k8s.io`, e.g. `resource.k8s.io/v1`.
   *
   * Throws for another kind and for one that the minor does not have; a version that is off by default is assumed to be served.
   */
  public apiVersionOf(kind: string): string {
    if (!isResourceKind(kind)) {
      throw new Error(describeProblem('kind', kind, {
        rule: `must be a kind of ${RESOURCE_GROUP}`,
        help: `Name one of ${list(RESOURCE_KINDS)}.`,
      }));
    }
    const { preferred } = servedVersions(kind, this.minor);
    if (preferred === undefined) {
      const since = MINORS.find(minor => servedVersions(kind, minor).preferred !== undefined);
      throw new Error(describeProblem('kind', kind, {
        rule: `must be served by Kubernetes ${this.minor}`,
        help: `Target ${since} or later.`,
      }));
    }
    return `${RESOURCE_GROUP}/${preferred}`;
  }

  /** Every known feature, sorted by gate; also those that this minor does not know. */
  public featureList(): readonly Feature[] {
    return GATE_NAMES.map(gate => {
      const state = gateAt(gate, this.minor);
      const components = gateComponents(gate, this.minor);
      return {
        gate,
        title: GATES[gate].title,
        stage: state?.stage,
        default: state?.default ?? false,
        locked: state?.locked ?? false,
        enabled: this.enabled(gate),
        offAt: state === undefined ? [] : components.filter(component => !this.isOn(gate, component)),
        maturity: maturityOf(gate),
        since: gateSince(gate),
        defaultOnFrom: MINORS.find(minor => gateAt(gate, minor)?.default),
        components,
      };
    });
  }

  /** The cluster in one line, gates that differ from their defaults named: `Kubernetes 1.34 with DRADeviceTaints=true`. */
  public toString(): string {
    const parts = GATE_NAMES.flatMap(gate => {
      const differing = COMPONENTS.filter(component => this.isOn(gate, component) !== (gateAt(gate, this.minor)?.default ?? false));
      const value = !(gateAt(gate, this.minor)?.default ?? false);
      return differing.length === COMPONENTS.length ? [`${gate}=${value}`] : differing.map(component => `${component}:${gate}=${value}`);
    });
    return `Kubernetes ${this.minor}${parts.length > 0 ? ` with ${parts.join(',')}` : ''}`;
  }
}
