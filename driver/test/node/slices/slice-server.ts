import type { ServerAbilities } from '../../../src/node/slices/server-abilities.js';
import type { SliceDevice, SliceObject } from '../../../src/node/slices/slice-object.js';
import { FakeApiServer, status } from '../../kube/fake-api-server.js';
import type { SeenRequest } from '../../kube/fake-api-server.js';

export const SLICES = '/apis/resource.k8s.io/v1/resourceslices';

/** An API server that keeps and refuses of slices what real ones do, by the features that are on. */
export class SliceServer {
  public static async start(abilities: ServerAbilities): Promise<SliceServer> {
    return new SliceServer(await FakeApiServer.start(), abilities);
  }

  private constructor(public readonly api: FakeApiServer, public abilities: ServerAbilities) {
    api.script(({ method, path, body }) => {
      if (path.startsWith(SLICES) && (method === 'POST' || method === 'PUT')) {
        const slice = body as SliceObject;
        // The request is what a later script and the store see.
        Object.assign(slice.spec, { devices: slice.spec.devices?.map((device) => this.kept(device)) });
        if (this.abilities.counters === 'dropped') delete (slice.spec as { sharedCounters?: unknown }).sharedCounters;
        return this.refusal(slice);
      }
      return undefined;
    });
  }

  public get slices(): readonly SliceObject[] {
    return [...this.api.objects].filter(([key]) => key.startsWith(SLICES)).map(([, object]) => object as SliceObject)
      .sort((a, b) => (a.metadata!.name! < b.metadata!.name! ? -1 : 1));
  }

  /** Requests that changed something, such as `POST 00000-…`. */
  public get writes(): readonly string[] {
    return this.api.seen.filter(({ method, path, query }) => method !== 'GET' && path.startsWith(SLICES) && query.dryRun === undefined)
      .map(({ method, path, body }: SeenRequest) => `${method} ${(method === 'POST' ? (body as SliceObject).metadata!.name : path.split('/').at(-1))}`);
  }

  private kept(device: SliceDevice): SliceDevice {
    const { taints, consumesCounters, allowMultipleAllocations, ...rest } = device;
    return {
      ...rest,
      ...(this.abilities.taints && taints !== undefined ? { taints } : {}),
      ...(this.abilities.counters !== 'dropped' && consumesCounters !== undefined ? { consumesCounters } : {}),
      ...(this.abilities.shares && allowMultipleAllocations !== undefined ? { allowMultipleAllocations } : {}),
    };
  }

  private refusal({ spec }: SliceObject): ReturnType<typeof status> | undefined {
    if (this.abilities.counters === 'own-slices' && spec.sharedCounters !== undefined && (spec.devices ?? []).length > 0) {
      return status(422, 'Invalid', 'only one of `sharedCounters` or `devices` is allowed');
    }
    const index = (spec.devices ?? []).findIndex(({ attributes = {} }) => Object.values(attributes).some((value) => 'string' in value && value.string.length > 64));
    if (index < 0) return undefined;
    const field = `spec.devices[${index}].attributes[model].string`;
    return status(422, 'Invalid', `${field}: Too long: may not be more than 64 bytes`, { causes: [{ field, reason: 'FieldValueTooLong', message: 'Too long: may not be more than 64 bytes' }] });
  }
}
