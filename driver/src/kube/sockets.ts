import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

import type { Connection } from './connection.js';

/** Kept-alive sockets to one API server, through its proxy where it has one. Throws an Error for a proxy that cannot be used. */
export async function socketsOf({ server, proxyUrl }: Pick<Connection, 'server' | 'proxyUrl'>): Promise<HttpAgent> {
  const options = { keepAlive: true, timeout: IDLE };
  if (proxyUrl === undefined) return server.startsWith('https:') ? new HttpsAgent(options) : new HttpAgent(options);
  const protocol = protocolOf(proxyUrl);
  // Few clusters are behind a proxy, so nobody else loads what it needs.
  if (SOCKS.includes(protocol)) return new (await import('socks-proxy-agent')).SocksProxyAgent(proxyUrl, options);
  if (HTTP.includes(protocol)) return new (await import('https-proxy-agent')).HttpsProxyAgent(proxyUrl, options);
  throw new Error(`the proxy-url of the cluster is '${proxyUrl}'; write http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT`);
}

/**
 * Milliseconds that a socket stays open with nothing to do: API servers wait for 90 seconds and balancers for 60, so that none closes it just when it is
 * used, and pods that follow each other need no new handshake.
 */
const IDLE = 30_000;
const SOCKS = ['socks:', 'socks5:', 'socks5h:'];
const HTTP = ['http:', 'https:'];

function protocolOf(url: string): string {
  try {
    return new URL(url).protocol;
  } catch {
    return '';
  }
}
