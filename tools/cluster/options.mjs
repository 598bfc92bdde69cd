import { Failure } from './failure.mjs';
import { byMinor, MINORS, requireMinor } from './versions.mjs';

/**
 * @typedef {object} ClusterOptions
 * @property {string} [kubernetes] minor (or a release that a module is for), `1.36` by default
 * @property {string} [emulate] older minor to play: its gates and APIs, with the code of `kubernetes`
 * @property {string} [featureGates] `A=true,B=false`, for all components
 * @property {string} [runtimeConfig] `api/version=true`, for the API server
 * @property {number | string} [nodes] real nodes, 0 to 2; more than 0 needs root
 * @property {string} [name] `default` by default
 * @property {number | string} [port] of the API server, a free one by default
 * @property {boolean} [keepData] whether the objects survive `down` and come back with the next `up` of that name
 * @property {boolean} [owned] whether the cluster ends with this program, however that ends
 * @property {string} [cache] cache folder
 * @property {(text: string) => void} [say] receives a sentence for each long step
 */

/** The options with their defaults; refuses what cannot be. */
export function checkOptions(options) {
  const kubernetes = requireMinor(options.kubernetes ?? '1.36', '--kubernetes');
  const emulate = options.emulate === undefined ? undefined : requireMinor(options.emulate, '--emulate');
  if (emulate !== undefined && byMinor(emulate, kubernetes) > 0) {
    const playable = MINORS.filter(minor => byMinor(minor, kubernetes) <= 0).join(', ');
    throw new Failure(
      `--emulate must not be newer than --kubernetes ${kubernetes}, got ${emulate}. A program plays itself or older minors: ${playable}.`,
    );
  }
  const name = options.name ?? 'default';
  if (!/^[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?$/.test(name)) {
    throw new Failure(
      `--name must be 1 to 20 lower-case letters, digits and inner "-", got "${name}". It becomes part of paths of sockets, which are short.`,
    );
  }
  const nodes = Number(options.nodes ?? 0);
  if (![0, 1, 2].includes(nodes)) throw new Failure(`--nodes must be 0, 1 or 2, got ${options.nodes}.`);
  const port = options.port === undefined ? undefined : Number(options.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65536)) throw new Failure(`--port must be 1 to 65535, got ${options.port}.`);
  pairs('--feature-gates', options.featureGates, /^\w+=(true|false)$/, 'DRADeviceTaintRules=true,AllAlpha=false');
  pairs('--runtime-config', options.runtimeConfig, /^[\w./-]+(=(true|false))?$/, 'resource.k8s.io/v1beta2=true');
  return { ...options, kubernetes, emulate, name, nodes, port };
}

function pairs(option, text, shape, example) {
  const wrong = text === undefined ? undefined : text.split(',').find(pair => !shape.test(pair));
  if (wrong !== undefined) throw new Failure(`${option} must look like ${example}, got "${wrong}".`);
}
