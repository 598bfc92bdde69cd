import type { DeviceReference } from './device-references';
import { macroVariables } from './macro-variables';
import { canonicalMap } from './selector-finding';
import type { KnownName, SelectorContext, SelectorFinding } from './selector-finding';
import type { Token } from './token';
import { STANDARD_DOMAIN } from '../drivers/standard-attributes';
import { attributeIdProblem, driverNameProblem } from '../names';
import { nearest } from '../near-miss';

/** Ids that no driver can publish, and hyphens, which subtract. */
export function checkIds(context: SelectorContext): SelectorFinding[] {
  const findings: SelectorFinding[] = [];
  const declared = macroVariables(context.tokens);
  for (const reference of context.references) {
    const { id } = reference;
    if (id === undefined) continue;
    const subtracted = hyphenEnd(context.tokens, reference, declared);
    const problem = attributeIdProblem(id.text);
    if (subtracted !== undefined) {
      const written = context.expression.slice(id.start, subtracted);
      findings.push({
        id: 'cel-hyphen',
        severity: 'error',
        start: id.start,
        end: subtracted,
        rule: `must not have a hyphen in a name: ${written} is a subtraction`,
        help: `Names of attributes and capacities have no hyphens; the driver may call it ${written.split('-').join('_')}.`,
      });
    } else if (problem !== undefined) {
      const slash = id.text.indexOf('/');
      findings.push({
        id: 'cel-impossible-id',
        severity: 'error',
        start: id.start,
        end: id.end,
        rule: `names what no device can have: an id ${problem.rule}`,
        help: slash < 0 ? problem.help
          : `Split it: device.${reference.map}["${id.text.slice(0, slash)}"].${id.text.slice(slash + 1)}.`,
      });
    }
  }
  return findings;
}

/** Domains that no driver can have or that are not the driver's, and domains left out. */
export function checkDomains(context: SelectorContext): SelectorFinding[] {
  const findings: SelectorFinding[] = [];
  const seen = new Set<string>();
  for (const reference of context.references) {
    const { domain } = reference;
    if (isComparedMap(context.tokens, reference)) {
      findings.push({
        id: 'cel-missing-domain',
        severity: 'error',
        start: reference.start,
        end: reference.end,
        rule: `must name the domain before the id: "${domain.text}" is read as a domain here`,
        help: `Write device.${reference.map}["${context.options.driverName ?? 'gpu.example.com'}"].${domain.text}; the domain is the driver's name.`,
      });
      continue;
    }
    if (seen.has(domain.text)) continue;
    seen.add(domain.text);
    const finding = domainForm(reference) ?? foreignDomain(context, reference);
    if (finding !== undefined) findings.push({ ...finding, start: domain.start, end: domain.end });
  }
  return findings;
}

type Unplaced = Omit<SelectorFinding, 'start' | 'end'>;

function domainForm({ map, domain, id }: DeviceReference): Unplaced | undefined {
  const problem = driverNameProblem(domain.text);
  if (problem === undefined) return undefined;
  const slash = domain.text.indexOf('/');
  if (slash >= 0 && driverNameProblem(domain.text.slice(0, slash)) === undefined) {
    return {
      id: 'cel-impossible-domain',
      severity: 'error',
      rule: 'names what no device can have: the index is the domain alone, without the id',
      help: `Write device.${map}["${domain.text.slice(0, slash)}"].${domain.text.slice(slash + 1) || id?.text || 'id'}.`,
    };
  }
  const lower = domain.text.toLowerCase();
  if (driverNameProblem(lower) === undefined) {
    return { id: 'cel-wrong-domain', severity: 'warning', rule: 'should be in lower case, as driver names are', help: `Write "${lower}".` };
  }
  return { id: 'cel-impossible-domain', severity: 'error', rule: `names what no device can have: a domain ${problem.rule}`, help: problem.help };
}

function foreignDomain({ options }: SelectorContext, { map, domain }: DeviceReference): Unplaced | undefined {
  const { driverName, knownAttributes } = options;
  if (driverName === undefined) return undefined;
  const named = [...knownAttributes?.attributes ?? [], ...knownAttributes?.capacity ?? []].flatMap((known) => known.domain ?? []);
  const known = [driverName, STANDARD_DOMAIN, ...knownAttributes?.domains ?? [], ...named];
  // Drivers such as dra.net publish what they learn from a cloud under a subdomain of their name.
  if (known.includes(domain.text) || domain.text.endsWith(`.${driverName}`)) return undefined;
  const meant = nearest(domain.text, known);
  let help = `The domain is the name of the driver, ${driverName}, not that of a DeviceClass or a vendor.`;
  if (meant !== undefined) help = `Did you mean "${meant}"?`;
  else if (!domain.quoted && driverName.startsWith(`${domain.text}.`)) help = `A domain with dots is an index: device.${map}["${driverName}"].`;
  else if (driverName.endsWith(`.${domain.text}`)) help = `This is the vendor's domain; write the name of the driver, "${driverName}".`;
  return {
    id: 'cel-wrong-domain',
    severity: 'warning',
    rule: `should be a domain that the driver ${driverName} publishes, got "${domain.text}"`,
    help,
  };
}

/** A comparison of `device.driver` that devices of the given driver never pass. */
export function checkDriver({ tokens, options: { driverName } }: SelectorContext): SelectorFinding[] {
  if (driverName === undefined) return [];
  const compared = tokens.flatMap((_, index) => comparedDriver(tokens, index) ?? []);
  if (compared.length === 0 || compared.some(({ value }) => value === driverName)) return [];
  // A negation or a choice may make sense of it; only the plain case is certain.
  const certain = !tokens.some(({ kind }, index) => kind === '||' || kind === '!' || (kind === '?' && !isOptionalMark(tokens, index)));
  return compared.map(({ start, end, value }) => ({
    id: 'cel-wrong-driver',
    severity: certain ? 'error' : 'warning',
    start,
    end,
    rule: `must be the driver that the selector is for, ${driverName}`,
    help: nearest(String(value), [driverName]) === undefined
      ? `No device of ${driverName} matches; write "${driverName}", or remove the comparison.`
      : `Did you mean "${driverName}"?`,
  }));
}

/** Names that the driver is not known to publish. */
export function checkKnownNames({ references, options }: SelectorContext): SelectorFinding[] {
  const findings: SelectorFinding[] = [];
  const seen = new Set<string>();
  for (const { map, domain, id } of references) {
    const names = options.knownAttributes?.[map];
    if (id === undefined || names === undefined || domain.text !== options.driverName || seen.has(`${map} ${id.text}`)) continue;
    seen.add(`${map} ${id.text}`);
    const inDomain = (known: KnownName) => (known.domain ?? options.driverName) === domain.text;
    if (names.some((known) => known.id === id.text && inDomain(known)) || attributeIdProblem(id.text) !== undefined) continue;
    const otherMap = map === 'attributes' ? 'capacity' : 'attributes';
    const isOther = options.knownAttributes?.[otherMap]?.some((known) => known.id === id.text && inDomain(known)) ?? false;
    const meant = nearest(id.text, names.filter(inDomain).map((known) => known.id));
    const place = { start: id.start, end: id.end };
    findings.push(isOther ? {
      id: 'cel-wrong-map',
      severity: 'error',
      ...place,
      rule: `must be looked up in device.${otherMap}, where ${domain.text} publishes ${id.text}`,
      help: `Write device.${otherMap}["${domain.text}"].${id.text}.`,
    } : {
      id: 'cel-unknown-attribute',
      severity: 'warning',
      ...place,
      rule: `should be a name that ${domain.text} is known to publish in device.${map}`,
      help: meant === undefined
        ? 'Compare with a ResourceSlice of the driver; its version may differ from the known ones.'
        : `Did you mean ${meant}?`,
    });
  }
  return findings;
}

/** Reads of a name that some devices may lack: one such device fails scheduling of the pod on every node. */
export function checkGuards(context: SelectorContext): SelectorFinding[] {
  const findings: SelectorFinding[] = [];
  const seen = new Set<string>();
  const declared = macroVariables(context.tokens);
  for (const reference of context.references) {
    const { id, domain, map, guarded, start, end } = reference;
    if (id === undefined || guarded || attributeIdProblem(id.text) !== undefined) continue;
    if (driverNameProblem(domain.text.toLowerCase()) !== undefined) continue;
    const key = `${map} ${domain.text} ${id.text}`;
    if (seen.has(key) || isAlwaysThere(context, reference) || hyphenEnd(context.tokens, reference, declared) !== undefined) continue;
    seen.add(key);
    findings.push({
      id: 'cel-missing-attribute',
      severity: 'warning',
      start,
      end,
      rule: 'should be read only where it exists: one device without it fails the scheduling of the pod on all nodes',
      help: `Write has(${canonicalMap(reference)}.${id.text}) && before it,`
        + ` or ${canonicalMap(reference)}.?${id.text}.orValue(${defaultFor(context.tokens, reference)}) in its place.`,
    });
  }
  return findings;
}

function isAlwaysThere({ options }: SelectorContext, { map, domain, id }: DeviceReference): boolean {
  return options.knownAttributes?.always?.[map].some(({ devices, ...known }) => {
    const covers = devices === undefined || (options.deviceType !== undefined && devices.includes(options.deviceType));
    return covers && known.id === id?.text && (known.domain ?? options.driverName) === domain.text;
  }) ?? false;
}

/** A neutral value of the type that the expression around the reference asks for. */
function defaultFor(tokens: readonly Token[], { map, firstToken, nextToken }: DeviceReference): string {
  if (map === 'capacity') return 'quantity("0")';
  const next = tokens[nextToken];
  if (next?.kind === '.') return VERSION_METHODS.has(String(tokens[nextToken + 1]?.value)) ? 'semver("0.0.0")' : '""';
  if (next?.kind === 'in') return '""';
  const onTheLeft = COMPARISONS.has(tokens[firstToken - 1]?.kind) ? tokens[firstToken - 2] : undefined;
  const literal = COMPARISONS.has(next?.kind) ? tokens[nextToken + 1] : onTheLeft;
  if (literal === undefined) return 'false';
  if (literal.kind === 'int' || literal.kind === 'double' || literal.kind === '-') return '0';
  return literal.kind === 'true' || literal.kind === 'false' ? 'false' : '""';
}

/** End of the name when a hyphen and a word stick to the id, as in `some-id`; undefined when it is an honest subtraction. */
function hyphenEnd(tokens: readonly Token[], reference: DeviceReference, declared: ReadonlySet<string>): number | undefined {
  let end: number | undefined;
  if (reference.id === undefined || reference.id.quoted) return end;
  for (let index = reference.nextToken; index + 1 < tokens.length; index += 2) {
    const hyphen = tokens[index];
    const word = tokens[index + 1];
    const adjacent = hyphen.kind === '-' && word.kind === 'identifier' && hyphen.start === tokens[index - 1].end && word.start === hyphen.end;
    const name = String(word.value);
    const isCall = tokens[index + 2]?.kind === '(' || (tokens[index + 2]?.kind === '.' && NAMESPACES.has(name));
    if (!adjacent || isCall || name === 'device' || declared.has(name)) break;
    end = word.end;
  }
  return end;
}

/** Whether a domain's whole map is compared with a literal: the domain itself is missing. */
function isComparedMap(tokens: readonly Token[], { id, access, nextToken }: DeviceReference): boolean {
  const literal = tokens[nextToken + 1]?.kind;
  return id === undefined && access === 'read' && COMPARISONS.has(tokens[nextToken]?.kind)
    && (literal === 'string' || literal === 'int' || literal === 'double' || literal === 'true' || literal === 'false');
}

/** The string that `device.driver` at this token is compared with by `==`. */
function comparedDriver(tokens: readonly Token[], index: number): Token | undefined {
  const isDriver = tokens[index].value === 'device' && tokens[index].kind === 'identifier' && tokens[index - 1]?.kind !== '.'
    && tokens[index + 1]?.kind === '.' && tokens[index + 2]?.value === 'driver';
  if (!isDriver) return undefined;
  const next = tokens[index + 3]?.kind;
  if (next === '==' && tokens[index + 4]?.kind === 'string' && !CONTINUED.has(tokens[index + 5]?.kind)) return tokens[index + 4];
  const before = tokens[index - 1]?.kind === '==' && tokens[index - 2]?.kind === 'string' && !CONTINUED.has(next);
  return before && tokens[index - 3]?.kind !== '+' ? tokens[index - 2] : undefined;
}

/** Whether a `?` belongs to `.?` or `[?`, or stands in a list or map literal. */
function isOptionalMark(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.kind;
  return before === '.' || before === '[' || before === '{' || before === ',';
}

const COMPARISONS: ReadonlySet<Token['kind'] | undefined> = new Set(['==', '!=', '<', '<=', '>', '>='] as const);
/** What continues an operand, so that the token before is not all of it. */
const CONTINUED: ReadonlySet<Token['kind'] | undefined> = new Set(['.', '[', '+'] as const);
const VERSION_METHODS: ReadonlySet<string> = new Set(['compareTo', 'isGreaterThan', 'isLessThan', 'major', 'minor', 'patch']);
/** First words of the functions with a dot in their name that Kubernetes' CEL has. */
const NAMESPACES: ReadonlySet<string> = new Set(['cel', 'ip', 'lists', 'math', 'optional', 'sets', 'strings']);
