import { global, member } from './overload';
import type { Library } from './overload';
import { parseUrl } from './url-parser';
import { labelKeyErrors, labelValueErrors } from '../../label-syntax';
import { utf8Length } from '../evaluate/size';
import { CelError, CelObject, CelOptional, NO_SUCH_OVERLOAD } from '../evaluate/value';
import type { Value } from '../evaluate/value';
import { FORMAT, listType, optionalType, STRING } from '../types/type';

/** Why a text does not have a format; empty if it does. */
type Validate = (text: string) => readonly string[];

export class CelFormat extends CelObject {
  public readonly typeName = 'kubernetes.NamedFormat';
  public override readonly unhashable = 'cel.Format';

  public constructor(private readonly name: string, public readonly regexSize: number, public readonly validate: Validate) {
    super();
  }

  public equals(other: Value): Value {
    if (!(other instanceof CelFormat)) return other instanceof CelError ? other : NO_SUCH_OVERLOAD;
    return this.name === other.name;
  }

  public toText(): string {
    return this.name;
  }
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const LABEL_RULE = 'a lowercase RFC 1123 label must consist of lower case alphanumeric characters or \'-\', '
  + 'and must start and end with an alphanumeric character';
const SUBDOMAIN_RULE = 'a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, \'-\' or \'.\', '
  + 'and must start and end with an alphanumeric character';
const LABEL_1035_RULE = 'a DNS-1035 label must consist of lower case alphanumeric characters or \'-\', start with an alphabetic character, '
  + 'and end with an alphanumeric character';
function shaped(text: string, pattern: string, max: number, rule: string, examples: readonly string[]): string[] {
  const errors: string[] = [];
  if (utf8Length(text) > max) errors.push(`must be no more than ${max} characters`);
  if (!new RegExp(`^${pattern}$`).test(text)) errors.push(regexError(rule, pattern, examples));
  return errors;
}

function regexError(rule: string, pattern: string, examples: readonly string[]): string {
  return `${rule} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${pattern}')`;
}

function dnsLabel(text: string): string[] {
  const errors = shaped(text, LABEL, 63, LABEL_RULE, ['my-name', '123-abc']);
  const dotted = new RegExp(`^${SUBDOMAIN}$`).test(text) && text.includes('.');
  return dotted ? [...errors.slice(0, -1), 'must not contain dots'] : errors;
}

function dnsSubdomain(text: string): string[] {
  return shaped(text, SUBDOMAIN, 253, SUBDOMAIN_RULE, ['example.com']);
}

function dns1035Label(text: string): string[] {
  return shaped(text, LABEL_1035, 63, LABEL_1035_RULE, ['my-name', 'abc-123']);
}

/** A name that generated characters will follow: its last dash does not stay last. */
function asPrefix(validate: Validate): Validate {
  return (text) => validate(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
}

function matching(test: (text: string) => boolean, error: string): Validate {
  return (text) => (test(text) ? [] : [error]);
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})t(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/i;

function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text);
  return match !== null && isDate(match[1]) && Number(match[2]) < 24 && Number(match[3]) < 60 && Number(match[4]) < 60;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const formatsOf = (oldWords: boolean): readonly (readonly [name: string, format: CelFormat])[] => [
  ['dns1123Label', new CelFormat('DNS1123Label', 30, dnsLabel)],
  ['dns1123Subdomain', new CelFormat('DNS1123Subdomain', 60, dnsSubdomain)],
  ['dns1035Label', new CelFormat('DNS1035Label', 30, dns1035Label)],
  ['qualifiedName', new CelFormat('QualifiedName', 60, (text) => labelKeyErrors(text, oldWords))],
  ['dns1123LabelPrefix', new CelFormat('DNS1123LabelPrefix', 30, asPrefix(dnsLabel))],
  ['dns1123SubdomainPrefix', new CelFormat('DNS1123SubdomainPrefix', 60, asPrefix(dnsSubdomain))],
  ['dns1035LabelPrefix', new CelFormat('DNS1035LabelPrefix', 30, asPrefix(dns1035Label))],
  ['labelValue', new CelFormat('LabelValue', 40, (text) => labelValueErrors(text, oldWords))],
  ['uri', new CelFormat('URI', 1103, (text) => {
    const parsed = parseUrl(text, true);
    return typeof parsed === 'string' ? [parsed] : [];
  })],
  ['uuid', new CelFormat('uuid', 70, matching((text) => UUID.test(text), 'does not match the UUID format'))],
  ['byte', new CelFormat('byte', 84, matching((text) => BASE64.test(text), 'invalid base64'))],
  ['date', new CelFormat('date', 71, matching(isDate, 'invalid date'))],
  ['datetime', new CelFormat('datetime', 71, matching(isDateTime, 'invalid datetime'))],
];

function formatLibrary(oldWords: boolean): Library {
  const named = new Map(formatsOf(oldWords));
  return {
    overloads: [
      member('validate', 'format-validate', [FORMAT, STRING], optionalType(listType(STRING)), (format: CelFormat, text: string) => {
        const errors = format.validate(text);
        return errors.length === 0 ? CelOptional.NONE : new CelOptional(errors);
      }),
      global('format.named', 'format-named', [STRING], optionalType(FORMAT), (name: string) => {
        const format = named.get(name);
        return format === undefined ? CelOptional.NONE : new CelOptional(format);
      }),
      ...[...named].map(([name, format]) => global(`format.${name}`, `format.${name}`, [], FORMAT, () => format)),
    ],
  };
}

/** Named formats of texts (`k8s.io/apiserver/pkg/cel/library/format.go`). */
export const FORMATS = formatLibrary(false);

/** With the words of 1.34. */
export const FORMATS_1_34 = formatLibrary(true);
