// Requests to an API server, without the half second that starting kubectl takes.
import { readFileSync } from 'node:fs';
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';

/** An answer of the API server that is no success; `status` is the HTTP status, `body` the Status object. */
export class ApiError extends Error {
  constructor(method, path, status, body) {
    super(`${method} ${path}: ${status} ${body?.message ?? JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
}

/**
 * @typedef {object} Access
 * @property {string} server
 * @property {string} [ca] PEM; without it the server's certificate is not checked
 * @property {string} [cert] PEM
 * @property {string} [key] PEM
 * @property {string} [token]
 */

/** Speaks JSON with one API server as one user. */
export class ApiClient {
  #access;
  #agent;
  #request;

  /** @param {Access} access */
  constructor(access) {
    this.#access = access;
    const { server, ca, cert, key } = access;
    // Only `kubectl proxy` speaks plain HTTP.
    const isPlain = server.startsWith('http:');
    this.#request = isPlain ? httpRequest : httpsRequest;
    this.#agent = isPlain ? new HttpAgent({ keepAlive: true }) : new Agent({ keepAlive: true, ca, cert, key, rejectUnauthorized: ca !== undefined });
  }

  /** The user of a kubeconfig with everything inside. */
  static fromKubeconfig(file) {
    const config = JSON.parse(readFileSync(file, 'utf8'));
    const { server, 'certificate-authority-data': authority } = config.clusters[0].cluster;
    const { token, 'client-certificate-data': certificate, 'client-key-data': key } = config.users[0].user;
    return new ApiClient({ server, ca: decode(authority), cert: decode(certificate), key: decode(key), token });
  }

  /** The same server with a token instead of a certificate. */
  withToken(token) {
    return new ApiClient({ server: this.#access.server, ca: this.#access.ca, token });
  }

  get(path) {
    return this.call('GET', path);
  }

  create(path, body) {
    return this.call('POST', path, body);
  }

  replace(path, body) {
    return this.call('PUT', path, body);
  }

  delete(path, body) {
    return this.call('DELETE', path, body);
  }

  /** A merge patch; other kinds by their content type. */
  patch(path, body, type = 'application/merge-patch+json') {
    return this.call('PATCH', path, body, type);
  }

  /** Server-side apply. */
  apply(path, body, { manager = 'cluster-suite', query = '' } = {}) {
    return this.call('PATCH', `${path}?fieldManager=${manager}&force=true${query}`, body, 'application/apply-patch+yaml');
  }

  /** The parsed answer; an ApiError if it is no success. */
  async call(method, path, body, type) {
    const answer = await this.request(method, path, body, type);
    if (answer.status >= 300) throw new ApiError(method, path, answer.status, answer.body);
    return answer.body;
  }

  /** Status, parsed body (text if it is no JSON) and warnings of any answer. */
  request(method, path, body, type = 'application/json') {
    const { server, token } = this.#access;
    const text = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = this.#request(
        new URL(path, server),
        {
          method,
          agent: this.#agent,
          timeout: 30_000,
          headers: {
            accept: 'application/json',
            ...(text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }),
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
        },
        response => {
          const chunks = [];
          response.on('data', chunk => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({ status: response.statusCode, body: parse(Buffer.concat(chunks).toString()), warnings: warnings(response.headers.warning) }),
          );
        },
      );
      request.on('timeout', () => request.destroy(new Error(`no answer to ${method} ${path} within 30 s`)));
      request.on('error', reject);
      request.end(text);
    });
  }

  close() {
    this.#agent.destroy();
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Texts of `Warning: 299 - "text"` headers. */
function warnings(header) {
  return header === undefined ? [] : [...header.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(match => match[1].replace(/\\(.)/g, '$1'));
}

function decode(base64) {
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString();
}
