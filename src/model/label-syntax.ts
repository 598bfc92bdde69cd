/*
 * What the API machinery says about label keys and values that cannot be (k8s.io/apimachinery/pkg/util/validation, v0.34.13 and v0.36.6).
 * The texts end up in error messages of the scheduler and in the formats of CEL. The words changed with 1.35.
 */

/** What is wrong with a label key, or any qualified name. */
export function labelKeyErrors(key: string, oldWords: boolean): string[] {
  const parts = key.split('/');
  const unit = oldWords ? 'characters' : 'bytes';
  if (parts.length > 2) return [`${oldWords ? 'a qualified name' : 'a valid label key'} ${NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  const errors: string[] = [];
  const name = parts[parts.length - 1];
  if (parts.length === 2) {
    const [prefix] = parts;
    if (prefix === '') {errors.push('prefix part must be non-empty');} else {
      if (bytes(prefix) > MAX_SUBDOMAIN) errors.push(`prefix part must be no more than ${MAX_SUBDOMAIN} ${unit}`);
      if (!SUBDOMAIN.test(prefix)) errors.push(`prefix part ${SUBDOMAIN_RULE}`);
    }
  }
  if (name === '') errors.push('name part must be non-empty');
  else if (bytes(name) > MAX_NAME) errors.push(`name part must be no more than ${MAX_NAME} ${unit}`);
  if (!NAME.test(name)) errors.push(`name part ${NAME_RULE}`);
  return errors;
}

/** What is wrong with a label value. */
export function labelValueErrors(value: string, oldWords: boolean): string[] {
  const errors: string[] = [];
  if (bytes(value) > MAX_NAME) errors.push(`must be no more than ${MAX_NAME} ${oldWords ? 'characters' : 'bytes'}`);
  if (value !== '' && !NAME.test(value)) errors.push(VALUE_RULE);
  return errors;
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

const MAX_NAME = 63;
const MAX_SUBDOMAIN = 253;
const NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const NAME_RULE = 'must consist of alphanumeric characters, \'-\', \'_\' or \'.\', and must start and end with an alphanumeric character '
  + '(e.g. \'MyName\',  or \'my.name\',  or \'123-abc\', regex used for validation is \'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]\')';
const SUBDOMAIN_RULE = 'a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, \'-\' or \'.\', '
  + 'and must start and end with an alphanumeric character (e.g. \'example.com\', regex used for validation is '
  + '\'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\')';
const VALUE_RULE = 'a valid label must be an empty string or consist of alphanumeric characters, \'-\', \'_\' or \'.\', '
  + 'and must start and end with an alphanumeric character (e.g. \'MyValue\',  or \'my_value\',  or \'12345\', '
  + 'regex used for validation is \'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?\')';
