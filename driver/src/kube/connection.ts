/** Where an API server is, and how to be known there. */
export interface Connection {
  /** `https://host:port`, with the path of a proxy in front if there is one. */
  readonly server: string;
  /** What the connection was read from, for messages. */
  readonly origin: string;
  /** Namespace of the context. */
  readonly namespace: string;
  /** PEM; absent, the system's authorities are trusted. */
  readonly ca?: string | undefined;
  readonly insecure?: boolean | undefined;
  /** Name in the server's certificate, where it is not the host's. */
  readonly tlsServerName?: string | undefined;
  readonly proxyUrl?: string | undefined;
  readonly credentials: Credentials;
  readonly impersonate?: Impersonation | undefined;
}

/** What a request is signed with. */
export interface Credential {
  readonly token?: string | undefined;
  readonly basic?: { readonly username: string; readonly password: string } | undefined;
  /** Client certificate and key, PEM. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Asked before each request; keeps what is still valid. */
export interface Credentials {
  current(): Promise<Credential>;
  /** The server refused the credential: the next one must be new. */
  refused(): void;
}

/** A user to act as; needs the verb `impersonate`. */
export interface Impersonation {
  readonly user: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A credential that never changes. */
export function fixedCredential(credential: Credential): Credentials {
  return { current: () => Promise.resolve(credential), refused: () => undefined };
}

/** Headers that make the server treat a request as another user's. */
export function impersonationHeaders(who: Impersonation | undefined): readonly [string, string][] {
  if (who === undefined) return [];
  return [
    ['Impersonate-User', who.user],
    ...(who.uid === undefined ? [] : [['Impersonate-Uid', who.uid] as [string, string]]),
    ...(who.groups ?? []).map((group): [string, string] => ['Impersonate-Group', group]),
    ...Object.entries(who.extra ?? {}).flatMap(([key, values]) =>
      // Keys travel in a header name, so a slash must be escaped.
      values.map((value): [string, string] => [`Impersonate-Extra-${encodeURIComponent(key)}`, value])),
  ];
}

/** The user that a pod of a service account is, on a node if one is named: what kubelet's bound token says. */
export function serviceAccountUser(namespace: string, name: string, node?: string): Impersonation {
  return {
    // The server adds the groups of a service account where none are named.
    user: `system:serviceaccount:${namespace}:${name}`,
    ...(node === undefined ? {} : { extra: { 'authentication.kubernetes.io/node-name': [node] } }),
  };
}
