import { settled } from './manual-clock.js';
import { NodeAgent } from '../../src/node/agent.js';
import type { AgentParts, KubeletLink } from '../../src/node/agent.js';
import type { WritingState } from '../../src/node/claims/lock/writing-time.js';
import { FollowedValue } from '../../src/node/followed-value.js';
import type { Registration } from '../../src/node/kubelet/kubelet-plugin.js';
import { RegistrationTimeoutError } from '../../src/node/kubelet/kubelet-plugin.js';
import type { AgentPart } from '../../src/node/part-for-node.js';
import type { OwnerNode } from '../../src/node/slices/slice-object.js';

/** All that the agent did, in order. */
let log: string[];
let end: AbortController;
let node: FollowedValue<OwnerNode | undefined>;
let ready: FollowedValue<boolean>;
let writing: FollowedValue<WritingState>;
let links: FakeLink[];
let stopping: { [part: string]: () => Promise<void> };

class FakeLink implements KubeletLink {
  public readonly registration = new FollowedValue<Registration>({ state: 'closed' });
  public readonly failed: Promise<never>;
  private readonly rejection = new AbortController();

  public constructor() {
    const { signal } = this.rejection;
    this.failed = new Promise((_, reject) => { signal.addEventListener('abort', () => reject(signal.reason as Error)); });
  }

  public async start(): Promise<void> {
    log.push('sockets open');
    this.registration.set({ state: 'waiting', attempt: 1 });
  }

  public async registered(): Promise<void> {
    if (this.registration.current.state === 'registered') return;
    await Promise.race([this.failed, new Promise<void>((resolve) => { this.registration.follow(({ state }) => { if (state === 'registered') resolve(); }); })]);
  }

  public fail(error: Error): void {
    this.rejection.abort(error);
  }

  public register(): void {
    log.push('registered');
    this.registration.set({ state: 'registered' });
  }

  public async stop(): Promise<void> {
    await stopping.sockets?.();
    this.registration.set({ state: 'closed' });
    log.push('sockets gone');
  }
}

function part(name: string): AgentPart {
  return {
    start: () => void log.push(`${name} starts`),
    stop: async () => {
      await stopping[name]?.();
      log.push(`${name} ends`);
    },
  };
}

function parts({ canServeBeside = true, isDriver = true } = {}): AgentParts {
  return {
    http: part('http'),
    node: { ...part('node'), node },
    reporter: (owner) => part(`report of ${owner.uid}`),
    events: { stop: async () => void log.push('events end') },
    failed: (what, error) => log.push(`${what}: ${(error as Error).message}`),
    ...(isDriver ? {
      driver: {
        discovery: { ...part('discovery'), ready },
        health: part('health'),
        claims: { ...part('claims'), state: writing },
        kubelet: () => {
          const link = new FakeLink();
          link.failed.catch(() => undefined);
          links.push(link);
          return link;
        },
        canServeBeside,
        removeStaleSockets: async () => void log.push('sweep'),
        publisher: (owner: OwnerNode) => part(`publishing for ${owner.uid}`),
      },
    } : {}),
  };
}

beforeEach(() => {
  log = [];
  end = new AbortController();
  node = new FollowedValue<OwnerNode | undefined>(undefined);
  ready = new FollowedValue(false);
  writing = new FollowedValue<WritingState>('seeking');
  links = [];
  stopping = {};
});

const NODE = { name: 'node-1', uid: 'uid-1' };

/** An agent that serves and publishes. */
async function serving(options = {}): Promise<{ readonly agent: NodeAgent; readonly run: Promise<void> }> {
  const agent = new NodeAgent(parts(options));
  const run = agent.run(end.signal);
  await settled();
  links[0]?.register();
  await settled();
  writing.set('writing');
  node.set(NODE);
  ready.set(true);
  await settled();
  return { agent, run };
}

test('probes first, then hardware, sockets, registration, records, and publishing last', async () => {
  const { agent, run } = await serving();

  expect(log).toEqual([
    'http starts', 'node starts', 'discovery starts', 'health starts', 'sweep', 'sockets open', 'registered', 'claims starts', 'report of uid-1 starts', 'publishing for uid-1 starts',
  ]);
  expect(agent.standing).toEqual({ registration: { state: 'registered' }, writing: 'writing', isDiscovered: true, isPublishing: true, isReporting: true });
  expect([agent.unhealthy, agent.unready]).toEqual([undefined, undefined]);
  end.abort();
  await run;
});

test('at the end nothing new is told, calls are finished, the records are left to others, and probes are answered to the last', async () => {
  const { run } = await serving();
  log.length = 0;

  end.abort();
  await run;

  expect(log).toEqual([
    'publishing for uid-1 ends', 'report of uid-1 ends', 'sockets gone', 'claims ends', 'health ends', 'discovery ends', 'node ends', 'events end', 'http ends',
  ]);
});

test('an end that comes while the probes are opened begins nothing more, and what was opened late is closed', async () => {
  let open: () => void = () => undefined;
  const http = { start: async () => { await new Promise<void>((resolve) => { open = resolve; }); log.push('http starts'); }, stop: async () => void log.push('http ends') };
  const run = new NodeAgent({ ...parts(), http }).run(end.signal);
  end.abort();
  await settled();
  open();
  await run;
  await settled();

  expect(log.filter((entry) => entry.endsWith(' starts'))).toEqual(['http starts']);
  expect(log.at(-1)).toBe('http ends');
});

test('nobody is asked for the records before kubelet calls this agent', async () => {
  const agent = new NodeAgent(parts());
  const run = agent.run(end.signal);
  await settled();

  expect(log.at(-1)).toBe('sockets open');
  expect(agent.unready).toBe('kubelet does not call this agent: waiting');
  links[0]?.register();
  await settled();
  expect(log.at(-1)).toBe('claims starts');
  expect(agent.unready).toBe('the hardware could not be looked at yet');
  ready.set(true);
  expect(agent.unready).toBe('another agent still holds the records');

  end.abort();
  await run;
});

test('with the API server away claims are served, and nothing is published until the Node is known', async () => {
  const agent = new NodeAgent(parts());
  const run = agent.run(end.signal);
  await settled();
  links[0]?.register();
  await settled();
  writing.set('writing');
  ready.set(true);
  await settled();

  expect(agent.standing).toMatchObject({ writing: 'writing', isPublishing: false, isReporting: false });
  expect([agent.unhealthy, agent.unready]).toEqual([undefined, undefined]);
  node.set(NODE);
  await settled();
  expect(agent.standing).toMatchObject({ isPublishing: true, isReporting: true });

  end.abort();
  await run;
});

// C-097
test('before the hardware was looked at nothing is published and the agent is not ready, and it does not end', async () => {
  const agent = new NodeAgent(parts());
  const run = agent.run(end.signal);
  await settled();
  links[0]?.register();
  await settled();
  writing.set('writing');
  node.set(NODE);
  await settled();

  expect(agent.standing.isPublishing).toBe(false);
  expect(agent.unhealthy).toBeUndefined();
  expect(agent.unready).toBe('the hardware could not be looked at yet');

  end.abort();
  await run;
});

test('an agent that yields publishes no more, keeps its sockets, and goes on when the newer one has gone', async () => {
  const { agent, run } = await serving();
  log.length = 0;

  writing.set('ending');
  writing.set('standby');
  await settled();
  expect([...log].sort()).toEqual(['publishing for uid-1 ends', 'report of uid-1 ends']);
  expect([agent.unhealthy, agent.unready]).toEqual([undefined, undefined]);
  writing.set('writing');
  await settled();
  expect(log.slice(2).sort()).toEqual(['publishing for uid-1 starts', 'report of uid-1 starts']);

  end.abort();
  await run;
});

test('an agent that cannot serve beside another opens its sockets once it has the records, and closes them when it yields', async () => {
  const agent = new NodeAgent(parts({ canServeBeside: false }));
  const run = agent.run(end.signal);
  await settled();
  expect(log.at(-1)).toBe('claims starts');

  writing.set('writing');
  await settled();
  expect(log.at(-1)).toBe('sockets open');
  links[0]?.register();
  writing.set('ending');
  writing.set('standby');
  await settled();
  expect(log.at(-1)).toBe('sockets gone');
  expect([agent.unhealthy, agent.unready === undefined]).toEqual([undefined, false]);
  writing.set('writing');
  await settled();
  expect(links).toHaveLength(2);

  end.abort();
  await run;
});

test('another Node of the same name is published for anew', async () => {
  const { run } = await serving();
  log.length = 0;

  node.set({ name: 'node-1', uid: 'uid-2' });
  await settled();

  expect(log.filter((line) => line.startsWith('publishing'))).toEqual(['publishing for uid-1 ends', 'publishing for uid-2 starts']);
  end.abort();
  await run;
});

test('a kubelet that is gone makes the agent unhealthy and ends nothing', async () => {
  const { agent, run } = await serving();
  log.length = 0;

  links[0]?.registration.set({ state: 'lost', attempt: 1 });
  await settled();

  expect(agent.unhealthy).toBe('kubelet does not call this agent: lost');
  expect(log).toEqual([]);
  end.abort();
  await run;
});

// C-016
test('a kubelet that never comes ends the agent with the reason, and in order', async () => {
  const agent = new NodeAgent(parts());
  const run = agent.run(end.signal);
  await settled();

  links[0]?.fail(new RegistrationTimeoutError('kubelet did not come'));

  await expect(run).rejects.toThrow(RegistrationTimeoutError);
  expect(log.slice(6)).toEqual(['sockets gone', 'claims ends', 'health ends', 'discovery ends', 'node ends', 'events end', 'http ends']);
  expect(log).not.toContain('claims starts');
});

test('sockets that cannot be opened, later too, end the agent with the reason', async () => {
  const agent = new NodeAgent(parts());
  const run = agent.run(end.signal);
  await settled();
  links[0]?.register();
  await settled();

  links[0]?.fail(new Error('no space left'));

  await expect(run).rejects.toThrow('no space left');
  expect(log.at(-1)).toBe('http ends');
});

test('a signal while kubelet is waited for ends the agent without a failure', async () => {
  const agent = new NodeAgent(parts());
  const run = agent.run(end.signal);
  await settled();

  end.abort();
  await run;
  links[0]?.register();
  await settled();

  expect(log).not.toContain('claims starts');
  expect(log.at(-2)).toBe('http ends');
});

test('a part that fails at the end does not keep the others from ending', async () => {
  const { run } = await serving();
  stopping.claims = () => Promise.reject(new Error('the disk is gone'));

  end.abort();
  await run;

  expect(log).toContain('ending claims: the disk is gone');
  expect(log.at(-1)).toBe('http ends');
});

test('the records are left to others only when kubelet\'s calls are finished', async () => {
  const { run } = await serving();
  let finish: () => void = () => undefined;
  stopping.sockets = () => new Promise((resolve) => { finish = resolve; });

  end.abort();
  await settled();
  expect(log).not.toContain('claims ends');
  finish();
  await run;

  expect(log.indexOf('sockets gone')).toBeLessThan(log.indexOf('claims ends'));
});

test('a witness watches its Node and reports, and is healthy without kubelet', async () => {
  const agent = new NodeAgent(parts({ isDriver: false }));
  const run = agent.run(end.signal);
  node.set(NODE);
  await settled();

  expect(log).toEqual(['http starts', 'node starts', 'report of uid-1 starts']);
  expect([agent.unhealthy, agent.unready, agent.standing.writing]).toEqual([undefined, undefined, 'none']);
  end.abort();
  await run;
  expect(log.slice(3)).toEqual(['report of uid-1 ends', 'node ends', 'events end', 'http ends']);
});
