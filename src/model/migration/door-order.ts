import { DOORS, INTERRUPTIONS } from '../api';
import type { DoorState } from '../api';

/** How many a door lets in, as a rank; a missing one is open. */
export function openness(state: DoorState | undefined): number {
  return state === undefined ? DOORS.length : DOORS.indexOf(state.door);
}

/** `Canary for sandbox (safe)`. */
export function doorText(state: DoorState | undefined): string {
  if (state === undefined) return 'Open';
  const { door, namespaces, interruptions } = state;
  return `${door}${namespaces === undefined ? '' : ` for ${namespaces.join(', ')}`}${interruptions === undefined ? '' : ` (${interruptions.join(', ')})`}`;
}

/** A door that lets in only whom both let in; undefined is a door that lets in everybody. */
export function meetDoors(a: DoorState | undefined, b: DoorState | undefined): DoorState | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.door !== b.door) return openness(a) < openness(b) ? a : b;
  const { namespaces: before, interruptions: some, ...rest } = a;
  const namespaces = common(before, b.namespaces);
  const interruptions = common(some, b.interruptions ?? (some && INTERRUPTIONS));
  return { ...rest, message: b.message, ...(namespaces && { namespaces }), ...(interruptions && { interruptions }) };
}

function common<T>(a: readonly T[] | undefined, b: readonly T[] | undefined): readonly T[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.filter(one => b.includes(one));
}
