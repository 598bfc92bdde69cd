import { dnsLabelProblem } from './names';
import type { Problem } from './problem';

/** What nodes carry during a migration; names are contract with users' node templates and with other tools. */

/** Node label whose value is the pool of a device family. */
export function poolLabel(family: string): string {
  return `cdk8s-dra.dev/${family}-pool`;
}

/** Node label that says who owns the devices of a family: `device-plugin`, `handover` (nobody) or `dra`; absent means `device-plugin`. */
export function ownerLabel(family: string): string {
  return `cdk8s-dra.dev/${family}-owner`;
}

/** Node annotation `on` or `frozen`, written by the controller or a person: whether the driver of a family offers its devices to new work; absent means `on`. */
export function publishAnnotation(family: string): string {
  return `cdk8s-dra.dev/${family}-publish`;
}

/** Node annotation with the name of the DeviceHold that froze publishing; what was frozen by hand has none, and no release lifts it. */
export function frozenByAnnotation(family: string): string {
  return `cdk8s-dra.dev/${family}-frozen-by`;
}

/** What the agent of a family may do on a node. */
export type AgentMode =
  /** Owner is dra: publish and prepare. */
  | 'active'
  /** Owner is dra and publishing is frozen, or the node could not be read: nothing new, what runs goes on. */
  | 'frozen'
  /** Somebody else owns the devices: discover and report only. */
  | 'observe';

/** The mode that a node's labels and annotations ask for; anything but `on` in the annotation is frozen, as a brake must not depend on its spelling. */
export function agentMode(family: string, node: NodeMarks): AgentMode {
  if (node.labels?.[ownerLabel(family)] !== 'dra') return 'observe';
  return (node.annotations?.[publishAnnotation(family)] ?? 'on') === 'on' ? 'active' : 'frozen';
}

/** `metadata` of a Node, as far as the contract goes. */
export interface NodeMarks {
  readonly labels?: { readonly [key: string]: string };
  readonly annotations?: { readonly [key: string]: string };
}

/** Taint of a node whose devices change owner; the prefix keeps cluster-autoscaler from counting it as a lasting taint. */
export function handoverTaint(family: string): string {
  return `status-taint.cluster-autoscaler.kubernetes.io/cdk8s-dra-${family}`;
}

/** The family of a device driver goes into label keys and a taint key, whose name part has 63 characters. */
export function familyProblem(family: string): Problem | undefined {
  return dnsLabelProblem(family) ?? (family.length <= MAX_FAMILY ? undefined : {
    rule: `must have at most ${MAX_FAMILY} characters`,
    help: 'Use the kind of device, e.g. gpu, fpga or nic.',
  });
}

const MAX_FAMILY = 40;

/** Taint of every device of a driver that offers nothing to new work, where the cluster knows device taints. */
export const FROZEN_DEVICE_TAINT = 'cdk8s-dra.dev/frozen';

/** Taint of a device that is sick or could not be cleaned; its value is the name of the failure. */
export const ISOLATED_DEVICE_TAINT = 'cdk8s-dra.dev/isolated';
