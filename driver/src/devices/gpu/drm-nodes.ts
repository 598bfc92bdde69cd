import type { HostReader } from '../host/host-reader.js';

/** Device nodes that the kernel's graphics layer made for a PCI function. */
export interface DrmNodes {
  /** For rendering and compute: `/dev/dri/renderD128`. */
  readonly render?: string;
  /** For display and mode setting too: `/dev/dri/card0`. */
  readonly card?: string;
}

export async function drmNodes(host: HostReader, functionFolder: string): Promise<DrmNodes> {
  const names = await host.list(`${functionFolder}/drm`);
  const render = names.find((name) => /^renderD\d+$/.test(name));
  const card = names.find((name) => /^card\d+$/.test(name));
  return { ...(render !== undefined && { render: `/dev/dri/${render}` }), ...(card !== undefined && { card: `/dev/dri/${card}` }) };
}
