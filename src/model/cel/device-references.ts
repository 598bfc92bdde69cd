import { pairBrackets } from './brackets';
import type { Token } from './token';

export type DeviceMap = 'attributes' | 'capacity';

/** How an expression uses a name: reads it, or asks first whether it is there. */
export type Access = 'read' | 'optional' | 'has' | 'in';

/** A part of a reference as written. */
export interface NamePart {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Written as a string (`["id"]`, `"id" in …`), not as a field (`.id`). */
  readonly quoted: boolean;
}

/** `device.attributes["domain"].id` or `device.capacity["domain"].id`, in any spelling; computed names are not listed. */
export interface DeviceReference {
  readonly map: DeviceMap;
  readonly domain: NamePart;
  /** Absent when the domain's map as a whole is used, or with a computed id. */
  readonly id?: NamePart;
  readonly access: Access;
  /** The access itself asks whether the name is there, or another one in the expression does. */
  readonly guarded: boolean;
  /** Range of the reference in the expression. */
  readonly start: number;
  readonly end: number;
  /** Indexes of its first token, and of the token behind its last. */
  readonly firstToken: number;
  readonly nextToken: number;
}

/**
 * The names that an expression looks up, in order of appearance.
 *
 * Follows `cel.bind(name, device.attributes["domain"], …)`. Works on tokens, so a guard counts wherever it stands: it
 * cannot tell `has(a.x) && a.x == 1` from `has(a.x) || a.x == 1`.
 */
export function deviceReferences(tokens: readonly Token[]): DeviceReference[] {
  const found = new ReferenceReader(tokens).read();
  const guards = new Set(found.filter((reference) => reference.access !== 'read').map(keyOf));
  return found.map((reference) => ({ ...reference, guarded: reference.access !== 'read' || guards.has(keyOf(reference)) }));
}

type FoundReference = Omit<DeviceReference, 'guarded'>;

/** One name for all spellings of a reference. */
function keyOf(reference: FoundReference): string {
  return [reference.map, reference.domain.text, reference.id?.text].join('\0');
}

/** What a `cel.bind` variable stands for. */
interface Alias {
  readonly map: DeviceMap;
  readonly domain: NamePart;
  readonly optional: boolean;
  /** Token index at which the variable ends to exist. */
  readonly until: number;
}

interface Step extends NamePart {
  readonly optional: boolean;
  readonly nextToken: number;
}

class ReferenceReader {
  private readonly found: FoundReference[] = [];
  private readonly aliases = new Map<string, Alias>();
  private readonly partners: Int32Array;

  public constructor(private readonly tokens: readonly Token[]) {
    this.partners = pairBrackets(tokens).partners;
  }

  public read(): FoundReference[] {
    for (let index = 0; index < this.tokens.length; index++) {
      const name = this.variableAt(index);
      if (name === undefined) continue;
      if (name === 'device') {
        this.fromDevice(index);
        continue;
      }
      const alias = this.aliases.get(name);
      if (alias !== undefined && index < alias.until) {
        this.fromDomain(index, index + 1, alias.map, alias.domain, alias.optional);
      }
    }
    return this.found;
  }

  private variableAt(index: number): string | undefined {
    const token = this.tokens[index];
    return token.kind === 'identifier' && typeof token.value === 'string' && this.kindAt(index - 1) !== '.' ? token.value : undefined;
  }

  private fromDevice(index: number): void {
    const map = this.step(index + 1);
    if (map === undefined || map.quoted || (map.text !== 'attributes' && map.text !== 'capacity')) return;
    const domain = this.step(map.nextToken);
    if (domain !== undefined) {
      this.fromDomain(index, domain.nextToken, map.text, domain, map.optional || domain.optional);
      return;
    }
    const asked = this.askedFor(index, map.nextToken);
    if (asked !== undefined) {
      this.found.push({
        map: map.text,
        domain: asked,
        access: 'in',
        start: asked.start,
        end: this.tokens[map.nextToken - 1].end,
        firstToken: index - 2,
        nextToken: map.nextToken,
      });
    }
  }

  private fromDomain(index: number, next: number, map: DeviceMap, domain: NamePart, optional: boolean): void {
    const id = this.step(next);
    const asked = id === undefined ? this.askedFor(index, next) : undefined;
    const firstToken = asked === undefined ? index : index - 2;
    const nextToken = id?.nextToken ?? next;
    let access: Access = 'read';
    if (asked !== undefined) access = 'in';
    else if (optional || id?.optional) access = 'optional';
    else if (this.isInHas(index, nextToken)) access = 'has';
    this.found.push({
      map,
      domain: part(domain),
      id: asked ?? (id && part(id)),
      access,
      start: this.tokens[firstToken].start,
      end: this.tokens[nextToken - 1].end,
      firstToken,
      nextToken,
    });
    if (id === undefined) this.bind(index, next, { map, domain: part(domain), optional });
  }

  /** Remembers the variable of `cel.bind(variable, <the reference>, …)`. */
  private bind(index: number, next: number, bound: Omit<Alias, 'until'>): void {
    const name = this.tokens[index - 2];
    const isBind = this.kindAt(index - 1) === ',' && this.kindAt(next) === ',' && name?.kind === 'identifier' && this.kindAt(index - 3) === '('
      && this.tokens[index - 4]?.value === 'bind' && this.kindAt(index - 5) === '.' && this.tokens[index - 6]?.value === 'cel';
    if (isBind && typeof name.value === 'string') {
      const close = this.partners[index - 3];
      this.aliases.set(name.value, { ...bound, until: close < 0 ? this.tokens.length : close });
    }
  }

  /** The string of `"name" in <reference>`. */
  private askedFor(index: number, next: number): NamePart | undefined {
    const asked = this.tokens[index - 2];
    const whole = this.kindAt(next) !== '.' && this.kindAt(next) !== '[' && this.kindAt(index - 3) !== '+';
    if (!whole || this.kindAt(index - 1) !== 'in' || asked?.kind !== 'string' || typeof asked.value !== 'string') return undefined;
    return { text: asked.value, start: asked.start, end: asked.end, quoted: true };
  }

  private isInHas(index: number, next: number): boolean {
    return this.kindAt(next) === ')' && this.kindAt(index - 1) === '(' && this.tokens[index - 2]?.value === 'has'
      && this.tokens[index - 2].kind === 'identifier' && this.kindAt(index - 3) !== '.';
  }

  /** A field (`.name`) or constant index (`["name"]`) at this token, optional or not; a method call is neither. */
  private step(index: number): Step | undefined {
    const opening = this.kindAt(index);
    if (opening !== '.' && opening !== '[') return undefined;
    const optional = this.kindAt(index + 1) === '?';
    const nameAt = index + (optional ? 2 : 1);
    const name = this.tokens[nameAt];
    if (name === undefined || typeof name.value !== 'string') return undefined;
    const { start, end, value: text } = name;
    if (opening === '.') {
      if (name.kind !== 'identifier' || this.kindAt(nameAt + 1) === '(') return undefined;
      return { text, start, end, quoted: false, optional, nextToken: nameAt + 1 };
    }
    if (name.kind !== 'string' || this.kindAt(nameAt + 1) !== ']') return undefined;
    return { text, start, end, quoted: true, optional, nextToken: nameAt + 2 };
  }

  private kindAt(index: number): Token['kind'] | undefined {
    return this.tokens[index]?.kind;
  }
}

function part({ text, start, end, quoted }: NamePart): NamePart {
  return { text, start, end, quoted };
}
