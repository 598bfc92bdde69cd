import { createHash } from 'node:crypto';
import type { Problem } from './problem';
import { show } from './problem';

/**
 * The name formats of resource.k8s.io and of the objects around it.
 *
 * Sources, alike in 1.34.4, 1.35.4, 1.36.3 and 1.37.2 unless said otherwise: `pkg/apis/resource/validation/validation.go`, and
 * `k8s.io/apimachinery` `pkg/util/validation` (1.34) or `pkg/api/validate/content` (later). All legal names are ASCII,
 * so characters and bytes are the same number.
 */
export const NAME_LENGTHS = {
  dnsLabel: 63,
  dnsSubdomain: 253,
  driverName: 63,
  poolName: 253,
  attributeDomain: 63,
  attributeId: 32,
  labelName: 63,
  labelValue: 63,
} as const;

/** A DNS-1123 label: device, request, subrequest, counter set and counter names. */
export function dnsLabelProblem(name: string): Problem | undefined {
  return emptyName(name) ?? tooLongName(name, NAME_LENGTHS.dnsLabel) ?? (DNS_LABEL.test(name) ? undefined : {
    rule: 'must be a DNS label: lower-case letters, digits and \'-\', starting and ending with a letter or digit',
    help: suggestion(name, /[^a-z0-9-]+/g, NAME_LENGTHS.dnsLabel, 'gpu-0'),
  });
}

/** A DNS-1123 subdomain: names of claims, templates, classes, slices and nodes. */
export function dnsSubdomainProblem(name: string): Problem | undefined {
  return emptyName(name) ?? tooLongName(name, NAME_LENGTHS.dnsSubdomain) ?? (isSubdomain(name) ? undefined : {
    rule: 'must be a DNS subdomain: DNS labels joined by \'.\', in lower case',
    help: suggestion(name, /[^a-z0-9.-]+/g, NAME_LENGTHS.dnsSubdomain, 'gpu.example.com'),
  });
}

/** A driver name; upper case is refused here although the API server only warns, because it compares names by case afterwards. */
export function driverNameProblem(name: string): Problem | undefined {
  return emptyName(name) ?? tooLongName(name, NAME_LENGTHS.driverName) ?? (isSubdomain(name) ? undefined : {
    rule: 'must be a driver name: a DNS subdomain in lower case',
    help: suggestion(name, /[^a-z0-9.-]+/g, NAME_LENGTHS.driverName, 'gpu.example.com'),
  });
}

/** A pool name: one or more DNS subdomains joined by `/`. */
export function poolNameProblem(name: string): Problem | undefined {
  return emptyName(name) ?? tooLongName(name, NAME_LENGTHS.poolName) ?? (name.split('/').every(part => isSubdomain(part)) ? undefined : {
    rule: 'must be a pool name: DNS subdomains joined by \'/\', none of them empty',
    help: 'Use the node name, or parts like rack-1/switch-2 in lower case.',
  });
}

/** The id of an attribute or capacity: a C identifier, because CEL reads it as a field name. */
export function attributeIdProblem(id: string): Problem | undefined {
  return emptyName(id) ?? tooLongName(id, NAME_LENGTHS.attributeId) ?? (C_IDENTIFIER.test(id) ? undefined : {
    rule: 'must be a C identifier: letters, digits and \'_\', not starting with a digit',
    help: identifierHelp(id),
  });
}

/**
 * An attribute or capacity key: `id`, which belongs to the driver's domain, or `domain/id`.
 *
 * The API server lets keys with two or more slashes through unchecked; no selector can reach them, so they are refused here.
 */
export function qualifiedNameProblem(name: string): Problem | undefined {
  if (name === '') return emptyName(name);
  const parts = name.split('/');
  if (parts.length > 2) {
    return { rule: 'must have at most one \'/\'', help: 'Write <id> or <domain>/<id>, for example gpu.example.com/model.' };
  }
  if (parts.length === 1) return attributeIdProblem(name);
  const [domain, id] = parts;
  if (domain === '' || id === '') {
    return { rule: 'must have a domain before and an id after the \'/\'', help: 'Write <domain>/<id>, for example gpu.example.com/model.' };
  }
  const domainProblem = driverNameProblem(domain);
  if (domainProblem) return { rule: `must have a valid domain: the part before '/' ${domainProblem.rule}`, help: domainProblem.help };
  const idProblem = attributeIdProblem(id);
  return idProblem && { rule: `must have a valid id: the part after '/' ${idProblem.rule}`, help: idProblem.help };
}

/** The name of an attribute in a constraint: always `domain/id`. */
export function fullyQualifiedNameProblem(name: string): Problem | undefined {
  return qualifiedNameProblem(name) ?? (name.includes('/') ? undefined : {
    rule: 'must be a domain and a name separated by a slash',
    help: `Write <driver>/${name}, with the domain of the driver that publishes it.`,
  });
}

/** A label or annotation key, a taint key or the name of a binding condition: `name` or `prefix/name`. */
export function labelKeyProblem(key: string): Problem | undefined {
  if (key === '') return emptyName(key);
  const parts = key.split('/');
  const name = parts[parts.length - 1];
  if (parts.length <= 2 && (parts.length === 1 || isSubdomain(parts[0], NAME_LENGTHS.dnsSubdomain)) && isLabelName(name)) return undefined;
  return {
    rule: 'must be a label key: an optional DNS subdomain and \'/\', then at most '
      + `${NAME_LENGTHS.labelName} letters, digits, '-', '_' or '.', starting and ending with a letter or digit`,
    help: 'Write for example example.com/maintenance.',
  };
}

/** A label value or the value of a taint; empty is legal. */
export function labelValueProblem(value: string): Problem | undefined {
  return tooLongName(value, NAME_LENGTHS.labelValue) ?? (value === '' || LABEL_NAME.test(value) ? undefined : {
    rule: 'must be a label value: letters, digits, \'-\', \'_\' or \'.\', starting and ending with a letter or digit',
    help: 'Write for example firmware-update, or leave it empty.',
  });
}

/** The name of an extended resource that a class answers for. */
export function extendedResourceNameProblem(name: string): Problem | undefined {
  const help = 'Write <domain>/<resource>, for example example.com/gpu.';
  if (name === '') return emptyName(name);
  if (!name.includes('/')) return { rule: 'must have a domain, as other names are native resources', help };
  if (name.includes('kubernetes.io/')) return { rule: 'must not be in the domain kubernetes.io, which is kept for native resources', help };
  if (name.startsWith('requests.')) return { rule: 'must not start with \'requests.\', which is kept for quota', help };
  // Quota counts it as requests.<name>, and that must be a label key too.
  return labelKeyProblem(`requests.${name}`) && {
    rule: 'must be a label key with a domain, also when quota writes \'requests.\' before it', help,
  };
}

/** Why a name that a person gave is too long; given names are never cut. */
export function tooLongName(name: string, max: number): Problem | undefined {
  return name.length <= max ? undefined : {
    rule: `must be at most ${max} characters, but has ${name.length}`,
    help: 'Choose a shorter name; given names are never cut.',
  };
}

/**
 * A name made of several parts: joined by `-`; beyond `max` characters it is cut and ends in a hash of the whole.
 *
 * Two different lists of parts that join to the same text give the same name.
 */
export function derivedName(parts: readonly string[], max: number): string {
  const whole = parts.join('-');
  if (whole.length <= max) return whole;
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, HASH_LENGTH);
  if (max <= HASH_LENGTH) throw new Error(`'max' must be greater than ${HASH_LENGTH} to leave room for a hash, got ${max}. Shorten ${show(whole)}.`);
  // A cut just after a separator would leave `a.-1234abcd`, which is no DNS name.
  const kept = whole.slice(0, max - HASH_LENGTH - 1).replace(/[^a-zA-Z0-9]+$/, '');
  return kept === '' ? hash : `${kept}-${hash}`;
}

const HASH_LENGTH = 8;
const DNS_LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const C_IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const LABEL_NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

function isSubdomain(name: string, max: number = NAME_LENGTHS.dnsSubdomain): boolean {
  return name.length <= max && name.split('.').every(part => DNS_LABEL.test(part));
}

function isLabelName(name: string): boolean {
  return name.length <= NAME_LENGTHS.labelName && LABEL_NAME.test(name);
}

function emptyName(name: string): Problem | undefined {
  return name === '' ? { rule: 'must not be empty', help: 'Give it a name.' } : undefined;
}

/** The nearest legal spelling where there is one. */
function suggestion(name: string, illegal: RegExp, max: number, example: string): string {
  const near = name.toLowerCase().replace(illegal, '-').replace(/(^|\.)[-.]+/g, '$1').replace(/[-.]+($|\.)/g, '$1');
  return near !== name && near.length <= max && isSubdomain(near) ? `Write ${near}.` : `Write for example ${example}.`;
}

function identifierHelp(id: string): string {
  const near = id.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_').slice(0, NAME_LENGTHS.attributeId);
  return id.includes('-') ? `A hyphen would be a minus sign in a CEL expression; write ${near}.` : `Write for example ${near}.`;
}
