import { celEvaluator } from '../allocator';
import type { CompiledExpression, SelectorDevice, SelectorEvaluator } from '../allocator';
import { gateAt, GATE_NAMES } from '../target/gate-state';
import type { Target } from '../target/target';

type Judgement = boolean | { readonly error: string };

interface DeviceMemory {
  readonly device: SelectorDevice;
  /** By the number of the expression. */
  readonly judgements: (Judgement | undefined)[];
}

/**
 * An evaluator that remembers what each selector said to each device: an explanation asks the allocator again and again about the same devices.
 *
 * Devices are told apart by the identity of their attributes or capacity, which all readers of one slice share. Lives as long as one explanation.
 */
export function rememberingEvaluator(target: Target): SelectorEvaluator {
  const gates = Object.fromEntries(GATE_NAMES.filter(gate => gateAt(gate, target.minor) !== undefined).map(gate => [gate, target.isOn(gate, 'kube-scheduler')]));
  const evaluator = celEvaluator(target.minor, gates);
  const compiled = new Map<string, CompiledExpression>();
  const devices = new Map<object, DeviceMemory[]>();
  const memoryOf = (device: SelectorDevice): DeviceMemory => {
    const key = isEmpty(device.attributes) ? device.capacity : device.attributes;
    const known = devices.get(key);
    if (known === undefined) {
      const memory = { device, judgements: [] };
      devices.set(key, [memory]);
      return memory;
    }
    const found = known.find(one => one.device.capacity === device.capacity && one.device.driver === device.driver
      && one.device.allowMultipleAllocations === device.allowMultipleAllocations && one.device.attributes === device.attributes);
    if (found) return found;
    const memory = { device, judgements: [] };
    // Devices that share all of their attributes, by a YAML alias, would make the list long.
    if (known.length < MOST_ALIKE) known.push(memory);
    return memory;
  };
  return {
    ...evaluator,
    compile: expression => {
      let one = compiled.get(expression);
      if (one === undefined) compiled.set(expression, one = remember(compiled.size, evaluator.compile(expression), memoryOf));
      return one;
    },
  };
}

function remember(place: number, compiled: CompiledExpression, memoryOf: (device: SelectorDevice) => DeviceMemory): CompiledExpression {
  if ('compileError' in compiled) return compiled;
  return {
    matches: device => {
      const { judgements, device: first } = memoryOf(device);
      return judgements[place] ??= judge(compiled, first);
    },
  };
}

/** Nobody has checked the devices of a file: one that cannot be read is an error like any other. */
function judge(compiled: Exclude<CompiledExpression, { readonly compileError: string }>, device: SelectorDevice): Judgement {
  try {
    return compiled.matches(device);
  } catch (error) {
    return { error: `the device cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function isEmpty(value: object): boolean {
  for (const _ in value) return false;
  return true;
}

const MOST_ALIKE = 64;
