import type { HostReader } from './host/host-reader.js';
import type { HostRoot } from './host/host-root.js';
import { NodeFailure } from './node-failure.js';

/** Ends with a retryable failure unless every device node is there: a container that starts without one runs without its device. */
export async function requireDeviceNodes(root: HostRoot, device: string, paths: readonly string[]): Promise<void> {
  const missing: string[] = [];
  for (const path of paths) if (await root.deviceNode(path) === undefined) missing.push(path);
  if (missing.length === 0) return;
  throw new NodeFailure('DRA350', 'retryable', `${device} cannot be given to a container: there is no device node ${missing.join(', ')} on the host. `
    + 'Load the kernel driver or start the service that makes it; the claim is tried again by itself.', { devices: [device] });
}

/** The first device node that is not there. */
export async function firstMissingNode(host: HostReader, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await host.deviceNode(path) === undefined) return path;
  return undefined;
}
