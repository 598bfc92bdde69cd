import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

import type { DeviceState, HeldDevice } from '../device-state.js';
import type { PodResources } from '../kubelet/pod-resources.js';

/** A device, the claim that has it, and a container that uses it. */
export interface DeviceUser {
  readonly device: string;
  /** What exporters of hardware metrics call it. */
  readonly identity: string;
  readonly claimNamespace: string;
  readonly claim: string;
  readonly claimUid: string;
  readonly shareId: string;
  readonly state: HeldDevice['state'];
  readonly adminAccess: boolean;
  /** Of each container; empty while no pod uses the claim, or kubelet does not say. */
  readonly podNamespace: string;
  readonly pod: string;
  readonly container: string;
}

/**
 * Who uses which device: claims by our own record, pods and containers by kubelet.
 *
 * Exporters that join on the device plugin's mapping lose pod and namespace under DRA (NVIDIA/dcgm-exporter#501); they can join on this.
 */
export function deviceUsers(
  driver: string,
  { held, inventory }: Pick<DeviceState, 'held' | 'inventory'>,
  pods: readonly PodResources[],
): readonly DeviceUser[] {
  const identities = new Map(inventory.current.devices.map(({ name, identity }) => [name, identity]));
  const containers = containersByShare(driver, pods);
  return held.current.flatMap((holding) => {
    const { device, namespace, name, shareId = '', claimUid, state, adminAccess = false } = holding;
    const user = { device, identity: identities.get(device) ?? '', claimNamespace: namespace, claim: name, claimUid, shareId, state, adminAccess };
    // Kubelets before 1.35 do not say which share it is.
    const using = containers.get(shareKey(namespace, name, device, shareId)) ?? containers.get(shareKey(namespace, name, device, '')) ?? [NOBODY];
    return using.map((container) => ({ ...user, ...container }));
  });
}

interface Using {
  readonly podNamespace: string;
  readonly pod: string;
  readonly container: string;
}

const NOBODY: Using = { podNamespace: '', pod: '', container: '' };

function containersByShare(driver: string, pods: readonly PodResources[]): ReadonlyMap<string, readonly Using[]> {
  const found = new Map<string, Map<string, Using>>();
  for (const { namespace, name, containers } of pods) {
    for (const { name: container, dynamicResources } of containers) {
      for (const { claimNamespace, claimName, claimResources } of dynamicResources) {
        for (const { driverName, deviceName, shareId = '' } of claimResources) {
          if (driverName !== driver) continue;
          const key = shareKey(claimNamespace, claimName, deviceName, shareId);
          const using = found.get(key) ?? new Map<string, Using>();
          using.set(`${namespace}/${name}/${container}`, { podNamespace: namespace, pod: name, container });
          found.set(key, using);
        }
      }
    }
  }
  return new Map([...found].map(([key, using]) => [key, [...using.values()]]));
}

function shareKey(...parts: readonly string[]): string {
  return parts.join('\n');
}

/** The join as a metric, `cdk8s_dra_device_user_info`; what kubelet does not say in time is left empty. */
export function exportDeviceUsers(
  registry: Registry, driver: string, pool: string, state: Pick<DeviceState, 'held' | 'inventory'>, listPods: () => Promise<readonly PodResources[]>,
): void {
  new Gauge({
    name: 'cdk8s_dra_device_user_info',
    help: 'Device to claim to pod and container, always 1: join it with metrics of the hardware on `identity`.',
    labelNames: ['pool', 'device', 'identity', 'claim_namespace', 'claim', 'claim_uid', 'share_id', 'state', 'admin_access', 'pod_namespace', 'pod', 'container'],
    registers: [registry],
    async collect() {
      const pods = state.held.current.length === 0 ? [] : await listPods().catch(() => []);
      this.reset();
      for (const user of deviceUsers(driver, state, pods)) {
        this.set({
          pool,
          device: user.device,
          identity: user.identity,
          claim_namespace: user.claimNamespace,
          claim: user.claim,
          claim_uid: user.claimUid,
          share_id: user.shareId,
          state: user.state,
          admin_access: String(user.adminAccess),
          pod_namespace: user.podNamespace,
          pod: user.pod,
          container: user.container,
        }, 1);
      }
    },
  });
}
