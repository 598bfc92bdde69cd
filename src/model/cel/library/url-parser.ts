import { parseAddress } from './address';
import { quoted } from '../evaluate/text';

/** The parts of a URL as Go's `net/url` has them. */
export interface ParsedUrl {
  readonly scheme: string;
  readonly opaque: string;
  /** User and password as written; undefined if there is no `@`. */
  readonly user: string | undefined;
  readonly host: string;
  /** Path without escapes, as bytes in Latin-1. */
  readonly path: string;
  readonly rawPath: string;
  readonly query: string;
  readonly forceQuery: boolean;
  readonly fragment: string;
  readonly omitHost: boolean;
}

/** Go's `url.ParseRequestURI` (`request`) or `url.Parse`; a string says what is wrong. */
export function parseUrl(text: string, request: boolean): ParsedUrl | string {
  if (request) return wrapped(text, parse(text, true));
  const hash = text.indexOf('#');
  const parsed = wrapped(hash < 0 ? text : text.slice(0, hash), parse(hash < 0 ? text : text.slice(0, hash), false));
  if (typeof parsed === 'string' || hash < 0) return parsed;
  const fragment = text.slice(hash + 1);
  const unescaped = unescape(fragment, 'path');
  return unescaped instanceof EscapeProblem ? `parse ${quoted(text)}: ${unescaped.text}` : { ...parsed, fragment };
}

function wrapped(text: string, parsed: ParsedUrl | string): ParsedUrl | string {
  return typeof parsed === 'string' ? `parse ${quoted(text)}: ${parsed}` : parsed;
}

const EMPTY: ParsedUrl = {
  scheme: '', opaque: '', user: undefined, host: '', path: '', rawPath: '', query: '', forceQuery: false, fragment: '', omitHost: false,
};

function parse(text: string, request: boolean): ParsedUrl | string {
  // eslint-disable-next-line no-control-regex -- Control characters are what is looked for.
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'net/url: invalid control character in URL';
  if (text === '' && request) return 'empty url';
  if (text === '*') return { ...EMPTY, path: '*' };
  if (text.startsWith(':')) return 'missing protocol scheme';
  const schemeMatch = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text);
  const scheme = schemeMatch === null ? '' : schemeMatch[1].toLowerCase();
  let rest = schemeMatch === null ? text : text.slice(schemeMatch[0].length);
  const mark = rest.indexOf('?');
  const forceQuery = mark >= 0 && mark === rest.length - 1;
  const query = mark < 0 ? '' : rest.slice(mark + 1);
  if (mark >= 0) rest = rest.slice(0, mark);
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...EMPTY, scheme, opaque: rest, query, forceQuery };
    if (request) return 'invalid URI for request';
    if (rest.split('/', 1)[0].includes(':')) return 'first path segment in URL cannot contain colon';
  }
  let authority: { user: string | undefined; host: string } | string = { user: undefined, host: '' };
  let omitHost = false;
  if ((scheme !== '' || (!request && !rest.startsWith('///'))) && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    authority = parseAuthority(scheme, slash < 0 ? rest.slice(2) : rest.slice(2, slash));
    if (typeof authority === 'string') return authority;
    rest = slash < 0 ? '' : rest.slice(slash);
  } else if (scheme !== '' && rest.startsWith('/')) {
    omitHost = true;
  }
  const path = unescape(rest, 'path');
  if (path instanceof EscapeProblem) return path.text;
  const rawPath = escapePath(path) === rest ? '' : rest;
  return { ...EMPTY, scheme, ...authority, path, rawPath, query, forceQuery, omitHost };
}

function parseAuthority(scheme: string, text: string): { user: string | undefined; host: string } | string {
  const at = text.lastIndexOf('@');
  const host = parseHost(scheme, text.slice(at + 1));
  if (host instanceof EscapeProblem) return host.text;
  if (at < 0) return { user: undefined, host };
  const user = text.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) return 'net/url: invalid userinfo';
  const unescaped = unescape(user, 'path');
  return unescaped instanceof EscapeProblem ? unescaped.text : { user, host };
}

/** What is wrong, apart from hosts, which are texts too. */
class EscapeProblem {
  public constructor(public readonly text: string) {}
}

function parseHost(scheme: string, text: string): string | EscapeProblem {
  const open = text.lastIndexOf('[');
  if (open > 0) return new EscapeProblem('invalid IP-literal');
  if (open === 0) return parseIpLiteral(text);
  const first = text.indexOf(':');
  if (first >= 0) {
    const web = scheme === 'http' || scheme === 'https';
    const port = text.slice(web ? first : text.lastIndexOf(':'));
    if (!isPort(port)) return new EscapeProblem(`invalid port ${quoted(port)} after host`);
  }
  return unescape(text, 'host');
}

function parseIpLiteral(text: string): string | EscapeProblem {
  const close = text.lastIndexOf(']');
  if (close < 0) return new EscapeProblem('missing \']\' in host');
  const port = text.slice(close + 1);
  if (!isPort(port)) return new EscapeProblem(`invalid port ${quoted(port)} after host`);
  const name = text.slice(1, close);
  const zone = name.indexOf('%25');
  const hostPart = unescape(zone < 0 ? name : name.slice(0, zone), 'host');
  if (hostPart instanceof EscapeProblem) return hostPart;
  const zonePart = zone < 0 ? '' : unescape(name.slice(zone), 'zone');
  if (zonePart instanceof EscapeProblem) return zonePart;
  const address = parseAddress(hostPart + zonePart);
  if (typeof address === 'string') return new EscapeProblem(`invalid host: ${address}`);
  return address.bits === 32 ? new EscapeProblem('invalid IP-literal') : `[${hostPart}${zonePart}]${port}`;
}

function isPort(text: string): boolean {
  return /^(?::\d*)?$/.test(text);
}

type Part = 'path' | 'host' | 'zone' | 'query';

/** Bytes above ASCII are kept as the characters they belong to until an escape is met. */
function unescape(text: string, part: Part): string | EscapeProblem {
  // Most texts have nothing to look at.
  if (!text.includes('%') && (part === 'path' || part === 'query' || HOST.test(text))) return part === 'query' ? text.replace(/\+/g, ' ') : text;
  for (const match of text.matchAll(/%(.{0,2})|([^%])/gsu)) {
    const [escape, digits, char] = match;
    if (char !== undefined) {
      if ((part === 'host' || part === 'zone') && char < '\u0080' && !HOST_CHARACTERS.test(char)) {
        return new EscapeProblem(`invalid character ${quoted(char)} in host name`);
      }
      continue;
    }
    if (!/^[0-9a-fA-F]{2}$/.test(digits)) return new EscapeProblem(`invalid URL escape ${quoted(escape)}`);
    const high = parseInt(digits[0], 16);
    if (part === 'host' && high < 8 && escape !== '%25') return new EscapeProblem(`invalid URL escape ${quoted(escape)}`);
    const byte = String.fromCharCode(parseInt(digits, 16));
    if (part === 'zone' && escape !== '%25' && byte !== ' ' && byte < '\u0080' && !HOST_CHARACTERS.test(byte)) {
      return new EscapeProblem(`invalid URL escape ${quoted(escape)}`);
    }
  }
  const spaced = part === 'query' ? text.replace(/\+/g, ' ') : text;
  if (!spaced.includes('%')) return spaced;
  const bytes: number[] = [];
  for (const [piece, digits] of spaced.matchAll(/%([0-9a-fA-F]{2})|[^%]/gsu)) {
    if (digits === undefined) bytes.push(...new TextEncoder().encode(piece));
    else bytes.push(parseInt(digits, 16));
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

const HOST = /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]*$/;
const HOST_CHARACTERS = /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/;

function escapePath(path: string): string {
  if (PLAIN_PATH.test(path)) return path;
  return Array.from(path, (char) => (/[A-Za-z0-9\-_.~$&+,/:;=@]/.test(char) ? char : percent(char))).join('');
}

const PLAIN_PATH = /^[A-Za-z0-9\-_.~$&+,/:;=@]*$/;

function percent(char: string): string {
  return Array.from(new TextEncoder().encode(char), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** Go's `EscapedPath`. */
export function escapedPath({ path, rawPath }: ParsedUrl): string {
  if (rawPath !== '' && /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]*$/.test(rawPath)) return rawPath;
  return path === '*' ? '*' : escapePath(path);
}

/** Host and port apart, without the brackets of an IP literal. */
export function splitHost({ host }: ParsedUrl): { name: string; port: string } {
  const colon = host.lastIndexOf(':');
  const hasPort = colon >= 0 && isPort(host.slice(colon));
  const name = hasPort ? host.slice(0, colon) : host;
  const bare = name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
  return { name: bare, port: hasPort ? host.slice(colon + 1) : '' };
}

/** The parameters in the query; those that are not well formed are left out. */
export function queryParameters({ query }: ParsedUrl): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const key = unescape(equals < 0 ? pair : pair.slice(0, equals), 'query');
    const value = unescape(equals < 0 ? '' : pair.slice(equals + 1), 'query');
    if (key instanceof EscapeProblem || value instanceof EscapeProblem) continue;
    const known = found.get(key);
    if (known === undefined) found.set(key, [value]);
    else known.push(value);
  }
  return found;
}

/** The URL put together again. */
export function urlText(url: ParsedUrl): string {
  const { scheme, opaque, user, host, path, query, forceQuery, fragment, omitHost } = url;
  let text = scheme === '' ? '' : `${scheme}:`;
  if (opaque !== '') {
    text += opaque;
  } else {
    const hidden = omitHost && host === '' && user === undefined;
    if ((scheme !== '' || host !== '' || user !== undefined) && !hidden) {
      if (host !== '' || path !== '' || user !== undefined) text += '//';
      text += `${user === undefined ? '' : `${user}@`}${host}`;
    }
    const shown = escapedPath(url);
    text += shown !== '' && !shown.startsWith('/') && host !== '' ? `/${shown}` : shown;
  }
  return `${text}${forceQuery || query !== '' ? `?${query}` : ''}${fragment === '' ? '' : `#${fragment}`}`;
}
