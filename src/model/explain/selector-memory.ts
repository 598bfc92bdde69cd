import { selectorView } from './selector-view';
import type { JudgedDevice, Judgement, SelectorView } from './selector-view';
import { celEvaluator } from '../allocator';
import type { CompiledExpression, SelectorDevice, SelectorEvaluator } from '../allocator';
import { gateAt, GATE_NAMES } from '../target/gate-state';
import type { Target } from '../target/target';

interface DeviceMemory {
  readonly device: SelectorDevice;
  /** By the number of the expression. */
  readonly judgements: (Judgement | undefined)[];
}

/**
 * An evaluator that remembers what each selector said to each device: an explanation asks the allocator again and again about the same devices.
 *
 * Devices are told apart by what the selector sees of them, and where that cannot be told, by the identity of their attributes or
 * capacity, which all readers of one slice share. Lives as long as one explanation.
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
      if (one === undefined) {
        one = remember(compiled.size, evaluator.compile(expression), selectorView(expression), memoryOf);
        compiled.set(expression, one);
      }
      return one;
    },
  };
}

function remember(
  place: number, compiled: CompiledExpression, viewOf: SelectorView | undefined, memoryOf: (device: SelectorDevice) => DeviceMemory,
): CompiledExpression {
  if ('compileError' in compiled) return compiled;
  const byView = new Map<string, Judgement>();
  const matches = (device: SelectorDevice): Judgement => {
    const view = viewOf?.(device);
    if (view !== undefined) {
      let judgement = byView.get(view);
      if (judgement === undefined) byView.set(view, judgement = judge(compiled, device));
      return judgement;
    }
    const { judgements, device: first } = memoryOf(device);
    return judgements[place] ??= judge(compiled, first);
  };
  return {
    matches: device => {
      const { answers } = device as Partial<JudgedDevice>;
      return answers === undefined ? matches(device) : answers[place] ??= matches(device);
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
