/** What a task asks of the fleet. */
export interface GpuRequest {
  /** Models it may run on, sorted; none means any. */
  readonly models: string[];
  readonly gpus: number;
  /** Thousandths of each GPU; 1000 is all of it. */
  readonly milli: number;
}

/** `gpu-t4`, `gpu-p100-v100`, `gpu-any`: the models, with both V100 as one word where either will do. */
export function className(models: readonly string[]): string {
  if (models.length === 0) return 'gpu-any';
  const words = V100.every(model => models.includes(model)) ? [...models.filter(model => !V100.includes(model)), 'V100'] : models;
  return `gpu-${words.map(word => word.toLowerCase()).join('-')}`;
}

const V100 = ['V100M16', 'V100M32'];

/**
 * `gpu-t4-470m` for a share, `gpu-t4-x2` for whole GPUs.
 *
 * A template cannot be changed once it exists. This name holds all that is in it, so other content always has another name.
 */
export function templateName({ models, gpus, milli }: GpuRequest): string {
  return `${className(models)}-${milli === 1000 ? `x${gpus}` : `${milli}m${gpus === 1 ? '' : `-x${gpus}`}`}`;
}

/** By name: a new entry moves no other. */
export function sortedBy<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  return [...items].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}
