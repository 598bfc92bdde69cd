import { World } from './world.mjs';

const disk = (text, step, { when = 'before', ordinal = 0 } = {}) => ({ text, arm: world => world.armStep(when, step, ordinal), stops: true });
const request = (text, method, pattern, more = () => true) => ({
  text, arm: world => world.armRequest(seen => seen.method === method && pattern.test(seen.path) && seen.query.watch === undefined && more(seen)),
});
const SLICES = /\/resourceslices(\/[^/]+)?$/;
const isReal = ({ query }) => query.dryRun === undefined;

/** Every step of each operation, in order; an ordinal says which of those that look alike. */
export const STEPS = {
  prepare: [
    request('read the claim', 'GET', /\/resourceclaims\//),
    request('read the Node', 'GET', /\/nodes\/node-1$/),
    disk('record of what is meant: write the file', 'write record'),
    disk('… give it its name', 'place record'),
    disk('… write it into the journal', 'write journal'),
    disk('… put the journal on the disk: the commit point', 'sync journal'),
    disk('set up the device', 'set up hardware'),
    disk('… the device is half set up', 'set up hardware', { ordinal: 1 }),
    disk('CDI file: create it', 'create CDI file'),
    disk('… give it its name', 'place CDI file'),
    disk('record that it is done: write the file', 'write record', { ordinal: 1 }),
    disk('… keep the file before it, to be written anew', 'keep record', { ordinal: 1 }),
    disk('… give it its name', 'place record', { ordinal: 1 }),
    disk('… write it into the journal', 'write journal', { ordinal: 1 }),
    disk('answer kubelet', 'write journal', { when: 'after', ordinal: 1 }),
  ],
  unprepare: [
    disk('mark the record: from here on the claim is only undone', 'mark record'),
    disk('… write that into the journal', 'write journal'),
    disk('remove the CDI file', 'remove CDI file'),
    disk('undo the device', 'undo hardware'),
    disk('remove the record', 'remove record'),
    disk('… write that into the journal', 'write journal', { ordinal: 1 }),
    disk('… put the journal on the disk', 'sync journal'),
    disk('answer kubelet', 'sync journal', { when: 'after' }),
  ],
  start: [
    request('read the slices that are there', 'GET', /\/resourceslices$/),
    request('ask what the server keeps of a slice, a dry run', 'POST', SLICES, seen => !isReal(seen)),
    request('create the first slice', 'POST', SLICES, isReal),
  ],
  publish: [
    request('create the first slice', 'POST', SLICES, isReal),
    request('create the second slice', 'POST', SLICES, secondOf(isReal)),
  ],
  change: [
    request('update the first slice', 'PUT', SLICES, isReal),
    request('update the second slice', 'PUT', SLICES, secondOf(isReal)),
  ],
};

function secondOf(isIt) {
  let seen = 0;
  return one => isIt(one) && ++seen % 2 === 0;
}

/** A fault is put where the agent stands; `end` makes the world whole again. */
export const FAULTS = {
  'kill -9': {
    begin: world => world.kill(),
    end: world => world.startAgent(),
  },
  'API server away': {
    begin: world => { world.isApiAway = true; },
    end: world => { world.isApiAway = false; },
  },
  'disk full': {
    begin: world => world.fillDisk(),
    end: world => world.emptyDisk(),
  },
  'kubelet restarts': {
    begin: world => world.stopKubelet(),
    end: world => world.startKubelet(),
  },
};

/** A cell that is not as it must be. */
class Broken extends Error {}

function must(holds, message) {
  if (!holds) throw new Broken(message);
}

let devices = 0;
/** Trials do not meet each other's devices, so that one that goes wrong spoils no other. */
const nextDevice = () => `gpu-${devices++ % World.DEVICES}`;

/** What kubelet is told of a call that meets the fault at the step. */
async function interrupted(world, step, fault, call) {
  const gate = step.arm(world);
  const told = call();
  try {
    await gate.reached;
    await fault.begin(world);
    gate.letGo();
    const answer = await told;
    await fault.end(world);
    return answer;
  } finally {
    world.disarm();
  }
}

async function retried(world, kind, claim) {
  let answer;
  for (let tries = 0; tries < 20 && answer !== 'ok'; tries++) answer = await world.call(kind, claim);
  return answer;
}

async function mustBeClean(world, claim, device) {
  must((await retried(world, 'unprepare', claim)) === 'ok', 'it cannot be given back');
  const { records, cdi, hardware } = world.traces(claim, device);
  must(records.length === 0 && cdi.length === 0 && !hardware.some(({ claimUid }) => claimUid === claim.uid), `it leaves ${JSON.stringify({ records, cdi, hardware })}`);
}

function mustBePrepared(world, claim, device) {
  const { records, cdi, hardware } = world.traces(claim, device);
  must(records.length === 1 && cdi.length === 1, `it has ${records.length} records and ${cdi.length} CDI files`);
  must(hardware.length === 1 && hardware[0].claimUid === claim.uid && hardware[0].half === undefined, `the device is ${JSON.stringify(hardware)}`);
}

/** Whether the device is `held` for its claim or `free` for another one, which never has it beside the first. */
async function heldOrFree(world, first, device) {
  const other = world.claim(device);
  const answer = await world.call('prepare', other);
  if (answer === 'ok') mustBePrepared(world, other, device);
  else must(answer === 'DRA320', `another claim is told ${answer}`);
  await mustBeClean(world, other, device);
  await mustBeClean(world, first, device);
  return answer === 'ok' ? 'free' : 'held';
}

/** Three stories from one fault: kubelet asks again, kubelet wants it back, another claim wants the device. */
const STORIES = {
  prepare: async (world, step, fault) => {
    const begin = async () => {
      const device = nextDevice();
      const claim = world.claim(device);
      return { device, claim, told: await interrupted(world, step, fault, () => world.call('prepare', claim)) };
    };
    const again = await begin();
    must((await retried(world, 'prepare', again.claim)) === 'ok', 'kubelet asks again and again in vain');
    mustBePrepared(world, again.claim, again.device);
    await mustBeClean(world, again.claim, again.device);
    const back = await begin();
    await mustBeClean(world, back.claim, back.device);
    const other = await begin();
    const left = await heldOrFree(world, other.claim, other.device);
    must([again, back, other].every(({ told }) => told === again.told), `kubelet is told ${again.told}, ${back.told} and ${other.told}`);
    return `${again.told}, ${left}`;
  },
  unprepare: async (world, step, fault) => {
    const begin = async () => {
      const device = nextDevice();
      const claim = world.claim(device);
      must((await retried(world, 'prepare', claim)) === 'ok', 'it is not prepared to begin with');
      return { device, claim, told: await interrupted(world, step, fault, () => world.call('unprepare', claim)) };
    };
    const again = await begin();
    await mustBeClean(world, again.claim, again.device);
    const other = await begin();
    const left = await heldOrFree(world, other.claim, other.device);
    must(again.told === other.told, `kubelet is told ${again.told} and ${other.told}`);
    return `${again.told}, ${left}`;
  },
  start: async (world, step, fault) => publishing(world, step, fault, async () => {
    await world.kill();
    await world.removeSlices();
    await world.startAgent();
  }, 0),
  publish: async (world, step, fault) => publishing(world, step, fault, () => world.removeSlices(), 0),
  change: async (world, step, fault) => {
    try {
      return await publishing(world, step, fault, async () => world.publish('frozen'), World.DEVICES);
    } finally {
      world.publish('on');
      await world.untilOffered(0);
    }
  },
};

async function publishing(world, step, fault, change, tainted) {
  await world.untilOffered(0);
  await interrupted(world, step, fault, change);
  await world.untilOffered(tainted);
  return 'whole';
}

/** The text of a cell: what was measured, or what is wrong. */
export async function tryCell(world, operation, step, fault) {
  try {
    return { text: await STORIES[operation](world, step, fault) };
  } catch (error) {
    return { text: `**broken**: ${error.message}`, isBroken: true, log: error instanceof Broken ? world.log.slice(-3000) : error.stack };
  }
}
