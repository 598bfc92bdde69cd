import type { SliceObject } from './slice-object.js';
import type { Inventory, InventoryProblem } from '../../devices/inventory.js';
import { isApiError } from '../../kube/api-error.js';
import type { KubeObject } from '../../kube/object.js';

/**
 * Devices that the API server calls invalid.
 *
 * It judges a slice as a whole: one attribute that is too long would withhold all devices of the node. So the one that it names is left out until
 * the hardware is found anew.
 */
export class RefusedDevices {
  private readonly reasons = new Map<string, string>();
  private inventory: Inventory | undefined;
  private news = false;

  public get problems(): readonly InventoryProblem[] {
    return [...this.reasons].map(([subject, message]) => ({ code: 'DRA370', subject, message }));
  }

  /** The inventory without what was refused of it. */
  public without(inventory: Inventory): Inventory {
    if (this.inventory !== inventory) this.reasons.clear();
    this.inventory = inventory;
    if (this.reasons.size === 0) return inventory;
    return { ...inventory, devices: inventory.devices.filter(({ name }) => !this.reasons.has(name)) };
  }

  /** Passes the answer on, and learns from a refusal. */
  public async learn(slice: SliceObject, answer: Promise<KubeObject>): Promise<KubeObject> {
    try {
      return await answer;
    } catch (error) {
      for (const { field, message } of isApiError(error, 'Invalid') ? error.causes : []) {
        const name = slice.spec.devices?.[Number(DEVICE.exec(field)?.[1] ?? -1)]?.name;
        if (name === undefined || this.reasons.has(name)) continue;
        this.reasons.set(name, `the API server refuses ${field}: ${message}`);
        this.news = true;
      }
      throw error;
    }
  }

  /** Whether something was refused since the last call. */
  public hasNews(): boolean {
    const { news } = this;
    this.news = false;
    return news;
  }
}

const DEVICE = /^spec\.devices\[(\d+)\]/;
