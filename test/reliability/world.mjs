import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../tools/examples/run.mjs';
import { importTypeScript } from '../bench/timing/upstream.mjs';

const { FakeApiServer, PlayedNode, PLAYED_DRIVER, PLAYED_NODE } = await importTypeScript('driver/test/node/played/index.ts');

const BUNDLE = join(ROOT, 'driver', 'lib', 'node.cjs');
const GATE = fileURLToPath(new URL('step-gate.mjs', import.meta.url));
const POD = '00000000-0000-4000-8000-000000000001';
const NODE_PATH = '/api/v1/nodes/node-1';
const SECONDS = 60;

/** The agent from its bundle on a node whose disk can be full, beside an API server and a kubelet that can be away. */
export class World {
  /** Devices fill two slices. */
  static DEVICES = 140;
  #node;
  #api;
  #agent;
  #requestGate;
  #claims = 0;
  isApiAway = false;

  static async start() {
    const world = new World();
    world.#api = await FakeApiServer.start();
    world.#api.put(NODE_PATH, PLAYED_NODE);
    world.#api.script(request => world.#hold(request));
    world.#node = new PlayedNode(world.#api.connection.server);
    mkdirSync(world.#gate(''));
    await world.startAgent();
    return world;
  }

  async startAgent() {
    const state = join(this.#node.root, 'hardware');
    this.#agent = this.#node.startAgent(BUNDLE, { fleet: [{ name: 'gpu-{index}', count: World.DEVICES }], stateFolder: state }, {
      log: { level: 'warn' },
      args: ['--import', GATE],
      // A container that is started again is of the same pod.
      env: { POD_UID: POD, GATE_FOLDER: this.#gate(''), GATE_WATCHED: [join(this.#node.data, 'claims'), this.#node.cdi, state].join(':') },
    });
    await this.#node.registered(SECONDS * 1000);
  }

  async remove() {
    await this.#node.remove();
    await this.#api.stop();
  }

  // ---- faults

  async kill() {
    await this.#agent.end('SIGKILL');
    await until('kubelet forgets the agent', () => this.#node.kubelet.connected.length === 0);
  }

  fillDisk() {
    writeFileSync(this.#gate('full'), '');
  }

  emptyDisk() {
    rmSync(this.#gate('full'), { force: true });
  }

  /** As it ends: connections drop, and it knows nothing any more. */
  async stopKubelet() {
    await this.#node.kubelet.stop();
    // The agent hears of it before anything else goes on, unless it stands still.
    await sleep(300);
  }

  /** As it starts: the slices of its node are deleted. */
  async startKubelet() {
    for (const path of this.#slicePaths()) await fetch(`${this.#api.connection.server}${path}`, { method: 'DELETE' });
    this.#node.kubelet.start();
    await this.#node.registered(SECONDS * 1000);
  }

  // ---- where the agent stands still

  /** From now on the agent will stop `before` or `after` its step on the disk that follows `ordinal` others of its kind. */
  armStep(when, step, ordinal = 0) {
    rmSync(this.#gate('reached'), { force: true });
    writeFileSync(this.#gate('plan'), [when, step, ordinal].join('|'));
    return {
      reached: until(`the agent is about to ${step}`, () => existsSync(this.#gate('reached'))),
      letGo: () => writeFileSync(this.#gate('go'), ''),
    };
  }

  /** From now on the next request of a kind gets no answer; the agent is not held up by it in anything else. */
  armRequest(isIt) {
    let reached, letGo;
    const whenReached = new Promise(resolve => (reached = resolve));
    const whenLet = new Promise(resolve => (letGo = resolve));
    this.#requestGate = { isIt, reached, whenLet };
    return { reached: within('the request', whenReached), letGo };
  }

  disarm() {
    this.#requestGate = undefined;
    for (const file of ['plan', 'go', 'reached']) rmSync(this.#gate(file), { force: true });
  }

  // ---- claims

  /** A claim for one device that exists at the API. */
  claim(device) {
    const number = String(++this.#claims).padStart(12, '0');
    const claim = { namespace: 'ml', name: `claim-${this.#claims}`, uid: `c0000000-0000-4000-8000-${number}` };
    this.#api.put(`/apis/resource.k8s.io/v1/namespaces/ml/resourceclaims/${claim.name}`, {
      metadata: { name: claim.name, namespace: 'ml', uid: claim.uid },
      spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'sim' } }] } },
      status: { allocation: { devices: { results: [{ request: 'gpu', driver: PLAYED_DRIVER, pool: 'node-1', device }] } } },
    });
    return claim;
  }

  /** What kubelet is told: `ok`, the code of a failure, or `no answer`. */
  async call(kind, claim) {
    try {
      const { claims } = await this.#node.kubelet[kind](PLAYED_DRIVER, [claim]);
      const { error } = claims[claim.uid];
      return error === '' ? 'ok' : error.split(' ')[0];
    } catch {
      return 'no answer';
    }
  }

  /** What a claim has left on the node: its record, its CDI file, and claims that the device is set up for. */
  traces(claim, device) {
    const records = list(join(this.#node.data, 'claims')).filter(name => name.includes(claim.uid) && !name.endsWith('.tmp'));
    const cdi = list(this.#node.cdi).filter(name => name.includes(claim.uid) && !name.startsWith('.'));
    const file = join(this.#node.root, 'hardware', `${device}.json`);
    return { records, cdi, hardware: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [] };
  }

  // ---- slices

  /** Sets whether devices are offered: `on`, or `frozen`, which taints them all and so changes every slice. */
  publish(mode) {
    this.#api.put(NODE_PATH, { metadata: { ...PLAYED_NODE.metadata, annotations: { 'cdk8s-dra.dev/sim-publish': mode } } });
  }

  /** Devices that a scheduler would see: of a pool that is whole, or none; and how many of them have a taint. */
  offered() {
    const slices = this.#slicePaths().map(path => this.#api.objects.get(path).spec);
    const newest = Math.max(0, ...slices.map(({ pool }) => pool.generation));
    const current = slices.filter(({ pool }) => pool.generation === newest);
    const devices = current.length === current[0]?.pool.resourceSliceCount ? current.flatMap(slice => slice.devices ?? []) : [];
    return { devices: new Set(devices.map(({ name }) => name)).size, tainted: devices.filter(({ taints = [] }) => taints.length > 0).length, isWhole: current.length === slices.length };
  }

  untilOffered(tainted) {
    return until(`all devices are offered, ${tainted} of them tainted`, () => {
      const now = this.offered();
      return now.devices === World.DEVICES && now.tainted === tainted && now.isWhole;
    });
  }

  async removeSlices() {
    for (const path of this.#slicePaths()) await fetch(`${this.#api.connection.server}${path}`, { method: 'DELETE' });
  }

  // ----

  /** Asked before any answer. */
  async #hold(request) {
    // The hands of the trial itself.
    if (request.headers['user-agent'] !== 'kubectl-dra') return undefined;
    const gate = this.#requestGate;
    if (gate?.isIt(request)) {
      this.#requestGate = undefined;
      gate.reached();
      await gate.whenLet;
    }
    return this.isApiAway ? { status: 503, body: { kind: 'Status', status: 'Failure', code: 503, reason: 'ServiceUnavailable', message: 'away' } } : undefined;
  }

  #slicePaths() {
    return [...this.#api.objects.keys()].filter(path => path.includes('/resourceslices/'));
  }

  #gate(file) {
    return join(this.#node.root, 'gate', file);
  }

  /** The last words of the agent, for whoever looks into a broken cell. */
  get log() {
    return this.#agent.log;
  }
}

function list(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}

export async function until(what, holds) {
  for (const end = Date.now() + SECONDS * 1000; !holds(); await sleep(2)) if (Date.now() > end) throw new Error(`not within ${SECONDS} s: ${what}`);
}

function within(what, promise) {
  return Promise.race([promise, sleep(SECONDS * 1000, undefined, { ref: false }).then(() => Promise.reject(new Error(`not within ${SECONDS} s: ${what}`)))]);
}
