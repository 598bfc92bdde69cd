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
