import { global, member } from './overload';
import type { Library } from './overload';
import { escapedPath, parseUrl, queryParameters, splitHost, urlText } from './url-parser';
import type { ParsedUrl } from './url-parser';
import { LiteralMap } from '../evaluate/map';
import { CelError, CelObject, NO_SUCH_OVERLOAD } from '../evaluate/value';
import type { Value } from '../evaluate/value';
import { BOOL, listType, mapType, STRING, URL_TYPE } from '../types/type';

class CelUrl extends CelObject {
  public readonly typeName = 'kubernetes.URL';

  public constructor(public readonly url: ParsedUrl) {
    super();
  }

  public equals(other: Value): Value {
    if (!(other instanceof CelUrl)) return other instanceof CelError ? other : NO_SUCH_OVERLOAD;
    return this.toText() === other.toText();
  }

  public toText(): string {
    return urlText(this.url);
  }
}

/** URLs (`k8s.io/apiserver/pkg/cel/library/urls.go`). */
export const URLS: Library = {
  overloads: [
    global('url', 'string_to_url', [STRING], URL_TYPE, (text: string) => {
      const request = parseUrl(text, true);
      const parsed = typeof request === 'string' ? request : parseUrl(text, false);
      return typeof parsed === 'string' ? new CelError(`URL parse error during conversion from string: ${parsed}`) : new CelUrl(parsed);
    }),
    getter('getScheme', 'url_get_scheme', ({ scheme }) => scheme),
    getter('getHost', 'url_get_host', ({ host }) => host),
    getter('getHostname', 'url_get_hostname', (url) => splitHost(url).name),
    getter('getPort', 'url_get_port', (url) => splitHost(url).port),
    getter('getEscapedPath', 'url_get_escaped_path', escapedPath),
    member('getQuery', 'url_get_query', [URL_TYPE], mapType(STRING, listType(STRING)), ({ url }: CelUrl) => {
      const map = new LiteralMap();
      for (const [key, values] of queryParameters(url)) map.set(key, values);
      return map;
    }),
    global('isURL', 'is_url_string', [STRING], BOOL, (text: string) => typeof parseUrl(text, true) !== 'string'),
  ],
};

function getter(name: string, id: string, read: (url: ParsedUrl) => string) {
  return member(name, id, [URL_TYPE], STRING, ({ url }: CelUrl) => read(url));
}
