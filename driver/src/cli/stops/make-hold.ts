import {
  API_GROUP, API_VERSION, frozenByAnnotation, HOLD_FENCE_POLICY, HOLD_POLICY, holdName, holdPlan, poolNodes, publishAnnotation, templatesOfTexts,
  withCarriedNames,
} from 'cdk8s-dra/model';
import type { CarriedName, ClusterView, DeviceHoldSpec, HoldLevel, PlannedMigration } from 'cdk8s-dra/model';

import { durationOf } from './duration.js';
import { inParallel } from './in-parallel.js';
import type { StopView } from './pool-view.js';
import type { StepLog } from './step-log.js';
import { whoAmI } from './who-am-i.js';
import { isApiError } from '../../kube/api-error.js';
import type { KubeClient } from '../../kube/kube-client.js';
import { DEVICE_HOLDS } from '../../kube/migration-resources.js';
import type { KubeObject } from '../../kube/object.js';
import { NODES } from '../../kube/resource.js';
import { UsageError } from '../command.js';
import type { StopOptions } from '../hold.js';
import { writeBridgeName } from '../route/bridge-name.js';

/** A hold that was made, or would be. */
export interface MadeHold {
  readonly object: KubeObject & { readonly spec: DeviceHoldSpec };
  readonly warnings: readonly string[];
  /** Whether the policies that read it are there: `unknown` where they may not be read. */
  readonly stops: 'yes' | 'no' | 'unknown';
}

/**
 * Makes the hold of a pool, in the order of the design: names off classes, then door and fence in one object, then the agents of our drivers.
 *
 * Whatever fails before or after the object is told, and never keeps the object from being made. Throws UsageError when it was not made.
 */
export async function makeHold(
  client: KubeClient, { view, migrations, holds }: StopView, migration: PlannedMigration, level: HoldLevel, options: StopOptions, log: StepLog,
): Promise<MadeHold> {
  const by = options.by ?? await whoAmI(client);
  const expiresAt = options.expires === undefined ? undefined : `${new Date(Date.now() + durationOf(options.expires)).toISOString().slice(0, 19)}Z`;
  const { reason, message, ticket } = options;
  const plan = holdPlan(view, migrations, migration, {
    level,
    reason,
    ...message === undefined ? {} : { message },
    ...ticket === undefined ? {} : { ticket },
    ...by === undefined ? {} : { by },
    ...expiresAt === undefined ? {} : { expiresAt },
  });
  if (plan.mistakes.length > 0) throw new UsageError(`${migration.name} is NOT held: ${plan.mistakes.join(' ')}`);
  const isDry = options.dryRun === true;
  const taken = new Set(holds.map(({ name }) => name));
  // A hold that would be refused must not leave classes without their names.
  if (plan.namesOff.length > 0) await create(client, plan.spec, migration.name, taken, { ...options, dryRun: true });
  const left = isDry ? [] : await takeNamesOff(client, view, plan.namesOff, log);
  const spec = withCarriedNames(plan.spec, left);
  const object = await create(client, spec, migration.name, taken, options);
  log.did(isDry ? `would make DeviceHold ${object.metadata?.name}: ${contents(spec)}` : `made DeviceHold ${object.metadata?.name}: ${contents(spec)}`);
  const stops = policiesStand(view, level);
  if (stops === 'no') log.didNot(`stop anything: policy ${level === 'Door' ? HOLD_POLICY : `${HOLD_POLICY} or ${HOLD_FENCE_POLICY}`} is not installed or not bound here, and nothing else reads a DeviceHold. Apply the folder 10-policies.`);
  if (level !== 'Door' && !isDry) await freeze(client, view, migration, object.metadata?.name ?? '', log);
  return { object: { ...object, spec }, warnings: plan.warnings, stops };
}

async function takeNamesOff(client: KubeClient, view: ClusterView, names: readonly CarriedName[], log: StepLog): Promise<readonly CarriedName[]> {
  const left: CarriedName[] = [];
  for (const carried of names) {
    const { deviceClassName, resource } = carried;
    const failure = await writeBridgeName(client, { name: deviceClassName, uid: view.find('DeviceClass', '', deviceClassName)?.uid ?? '' });
    if (failure === undefined) {
      log.did(`took ${resource} off class ${deviceClassName}`);
      continue;
    }
    left.push(carried);
    log.didNot(`take ${resource} off class ${deviceClassName}: ${failure}. The hold refuses new work that asks for ${resource} instead, on every node; pods that wait for it may be tried on fenced nodes again and again.`);
  }
  return left;
}

async function create(client: KubeClient, spec: DeviceHoldSpec, pool: string, taken: ReadonlySet<string>, options: StopOptions): Promise<KubeObject> {
  const used = new Set(taken);
  for (;;) {
    const name = options.name ?? holdName(pool, used);
    const object: KubeObject = {
      apiVersion: `${API_GROUP}/${API_VERSION}`, kind: 'DeviceHold', metadata: { name, labels: { [`${API_GROUP}/migration`]: pool } }, spec: { ...spec },
    };
    try {
      await client.create(DEVICE_HOLDS, object, { dryRun: options.dryRun === true, fieldValidation: 'Strict' });
      return object;
    } catch (error) {
      if (!isApiError(error)) throw error;
      // Somebody else holds the pool in the same second.
      if (error.reason === 'AlreadyExists' && options.name === undefined) {
        used.add(name);
        continue;
      }
      throw new UsageError(`${pool} is NOT held: ${refusalText(error.status, error.message, name)}`);
    }
  }
}

function refusalText(status: number, message: string, name: string): string {
  switch (status) {
    case 404: return 'the server does not know DeviceHold. Install the CRDs (the file of chart 00-crds) and the policies (10-policies), then try again. '
      + 'Until then cordon the nodes of the pool by hand: kubectl cordon NODE, which stops every new pod there and touches none that runs.';
    case 403: return `${message}. Ask for the role that may create deviceholds.`;
    case 409: return `there is a DeviceHold ${name} already. Choose another --name, or look at it: kubectl get devicehold ${name} -o yaml`;
    default: return message;
  }
}

function contents({ classes = [], resources = [], templates = {}, fence = [], level }: DeviceHoldSpec): string {
  const count = Object.keys(templatesOfTexts(templates)).length;
  return [
    `level ${level}`,
    ...classes.length === 0 ? [] : [`classes ${classes.join(', ')}`],
    ...resources.length === 0 ? [] : [`resources ${resources.join(', ')}`],
    `${count} claim ${count === 1 ? 'template' : 'templates'}`,
    ...fence.map(({ driver, pools }) => (pools === undefined ? `fence around all of ${driver}` : `fence around ${pools.length} device pools of ${driver}`)),
  ].join('; ');
}

function policiesStand(view: ClusterView, level: HoldLevel): MadeHold['stops'] {
  if (!view.isKnown('ValidatingAdmissionPolicy') || !view.isKnown('ValidatingAdmissionPolicyBinding')) return 'unknown';
  const bound = (policy: string) => view.find('ValidatingAdmissionPolicy', '', policy) !== undefined && view.all('ValidatingAdmissionPolicyBinding').some(({ value }) => {
    const { policyName, validationActions } = (value.spec ?? {}) as { readonly policyName?: string; readonly validationActions?: readonly string[] };
    return policyName === policy && validationActions?.includes('Deny') === true;
  });
  return (level === 'Door' ? [HOLD_POLICY] : [HOLD_POLICY, HOLD_FENCE_POLICY]).every(bound) ? 'yes' : 'no';
}

/** Our own drivers taint what they publish, so that the scheduler does not choose it; the fence alone would refuse it again and again. */
async function freeze(client: KubeClient, view: ClusterView, { spec }: PlannedMigration, hold: string, log: StepLog): Promise<void> {
  if (!spec.driver.endsWith('.cdk8s-dra.dev')) return;
  const nodes = poolNodes(view, spec).filter(({ value }) => annotationsOf(value)[publishAnnotation(spec.family)] !== 'frozen');
  if (nodes.length === 0) return;
  const annotations = { [publishAnnotation(spec.family)]: 'frozen', [frozenByAnnotation(spec.family)]: hold };
  const failures = await inParallel(nodes, async ({ name }) => client.patch(NODES, { name }, { merge: { metadata: { annotations } } }));
  const done = nodes.length - failures.length;
  if (done > 0) log.did(`told the agents of ${done} ${done === 1 ? 'node' : 'nodes'} to offer nothing new`);
  if (failures[0] !== undefined) {
    log.didNot(`tell the agents of ${failures.length} nodes to offer nothing new: ${failures[0]}. The fence holds all the same; the scheduler tries these nodes and is refused.`);
  }
}

function annotationsOf(value: KubeObject): Readonly<Record<string, string>> {
  return value.metadata?.annotations ?? {};
}
