import { column, count, crd, flag, list, object, text, time, word } from './crd-schema';
import type { CustomResourceDefinition } from '../../../imports/types';

/** Upper bounds of a report, so that no node can fill the store. */
export const NODE_REPORT_LIMITS = { held: 256, pluginHeld: 256, drivers: 32, resources: 64, problems: 32, messageBytes: 512 } as const;

/**
 * Name of the report about a family of devices on a node.
 *
 * The family stands first: it has no dots, and the name of a node may have some.
 */
export function nodeReportName(family: string, node: string): string {
  return `${family}.${node}`;
}

/**
 * CRD of DeviceNodeReport: what the agent of a node sees of a family of devices, whoever owns and drives them.
 *
 * Written by the agent of that node only; a report without a fresh heartbeat means that the devices are held.
 */
export const DEVICE_NODE_REPORT_CRD: CustomResourceDefinition = crd({
  kind: 'DeviceNodeReport',
  plural: 'devicenodereports',
  shortName: 'dnr',
  scope: 'Cluster',
  columns: [
    column('Node', '.spec.nodeName'),
    column('Owner', '.status.owner'),
    column('Mode', '.status.mode'),
    column('Devices', '.status.inventory.devices', 'integer'),
    column('Held', '.status.heldTotal', 'integer'),
    column('Plugin', '.status.pluginHeldTotal', 'integer'),
    column('Seen', '.status.heartbeat', 'date'),
  ],
  schema: object({
    spec: object({
      nodeName: text(253),
      family: text(40),
      driver: text(63),
    }, ['nodeName', 'family'], [{ rule: 'self == oldSelf', message: 'never changes; delete the report and the agent makes a new one' }]),
    status: object({
      owner: word('device-plugin', 'handover', 'dra', 'unknown'),
      mode: word('active', 'frozen', 'observe'),
      roles: list(word('driver', 'witness'), 2),
      agentVersion: text(64),
      bootId: text(64),
      inventory: object({
        hash: text(64), devices: count(), withheld: count(), isolated: count(),
      }, ['hash', 'devices']),
      drivers: list(object({ name: text(63), registered: flag() }, ['name']), NODE_REPORT_LIMITS.drivers),
      resources: list(object({ name: text(317), allocatable: count(), held: count() }, ['name']), NODE_REPORT_LIMITS.resources),
      held: list(object({
        driver: text(63),
        pool: text(253),
        device: text(63),
        claimUid: text(64),
        claimNamespace: text(63),
        claimName: text(253),
        state: text(32),
      }, ['driver', 'device']), NODE_REPORT_LIMITS.held),
      heldTotal: count(),
      pluginHeld: list(object({
        resource: text(317), deviceId: text(256), podNamespace: text(63), podName: text(253),
      }, ['resource', 'deviceId']), NODE_REPORT_LIMITS.pluginHeld),
      pluginHeldTotal: count(),
      // False: the kubelet did not answer, and what device plugins hold is not known.
      pluginHeldKnown: flag(),
      problems: list(object({
        code: text(16), subject: text(253), message: text(NODE_REPORT_LIMITS.messageBytes),
      }, ['code', 'message']), NODE_REPORT_LIMITS.problems),
      heartbeat: time(),
    }),
  }, ['spec'], [{
    rule: "self.metadata.name == self.spec.family + '.' + self.spec.nodeName",
    message: 'must be named <spec.family>.<spec.nodeName>',
  }]),
});
