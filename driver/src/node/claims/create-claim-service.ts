import { mkdirSync } from 'node:fs';

import type { DeviceBackend } from '../../devices/backend.js';
import type { Inventory } from '../../devices/inventory.js';
import { CdiFolder } from '../cdi/cdi-folder.js';
import { ClaimCdi } from '../cdi/claim-cdi.js';
import type { ClaimName, ClaimService } from '../claim-service.js';
import type { Followed, HeldDevice, Isolation } from '../device-state.js';
import { Account } from './account.js';
import { AdoptClaim } from './adopt-claim.js';
import { ArrivalOrder } from './arrival-order.js';
import { SILENT_OBSERVER } from './claim-observer.js';
import type { ClaimObserver } from './claim-observer.js';
import { ClaimStore } from './claim-store.js';
import { DEFAULT_TIMES } from './claim-times.js';
import type { ClaimTimes } from './claim-times.js';
import { CleanUp } from './clean-up.js';
import { SYSTEM_CLOCK } from './clock.js';
import type { Clock } from './clock.js';
import { DeviceWork } from './device-work.js';
import { Ghosts } from './ghosts.js';
import { ClaimIsolations } from './isolations.js';
import type { NodeView } from './judge.js';
import { LateLooks } from './late-looks.js';
import type { AgentLock } from './lock/agent-lock.js';
import { WriterLock } from './lock/writer-lock.js';
import { Writer } from './lock/writer.js';
import type { WritingState } from './lock/writing-time.js';
import { WritingTime } from './lock/writing-time.js';
import { NodeClaims } from './node-claims.js';
import type { ClaimStatusSink } from './node-claims.js';
import { PartOrder } from './part-order.js';
import { PrepareClaim } from './prepare-claim.js';
import type { ClusterReader, ReadOptions } from './read-claim.js';
import type { ClaimRecord } from './record/claim-record.js';
import { LocalFileSystem } from './record/file-system.js';
import type { FileSystem } from './record/file-system.js';
import { openRecords } from './record/open-records.js';
import { QuarantineFolder } from './record/quarantine-folder.js';
import { Quarantine } from './record/quarantine.js';
import { RecordFolder } from './record/record-folder.js';
import { RecordCodec } from './record/record-format.js';
import type { RecordFormat } from './record/record-format.js';
import { ReleaseClaim } from './release-claim.js';

export interface ClaimServiceOptions {
  readonly driver: string;
  /** Family of the owner label, such as gpu. */
  readonly family: string;
  /** Name of the Node, which is also the name of its pool. */
  readonly node: string;
  /** This agent among others of the same node, such as the pod's name. */
  readonly agent: string;
  /** Kernel's id of the boot, `/proc/sys/kernel/random/boot_id`. */
  readonly bootId: string;
  /** Shared by all agents of the driver on this node, and kept over restarts. */
  readonly dataFolder: string;
  /** As the container runtime reads it. */
  readonly cdiFolder: string;
  readonly backend: DeviceBackend;
  readonly inventory: Followed<Inventory>;
  /** Of others than the claims: sick devices. */
  readonly healthIsolations: Followed<readonly Isolation[]>;
  readonly reader: ClusterReader;
  /** Metrics, logs and Events are made from what it is told. */
  readonly observer?: ClaimObserver;
  readonly status?: ClaimStatusSink;
  /** Whether a device node is there on the host; asked before a prepared claim is told to kubelet once more. Absent: taken for granted. */
  readonly deviceNodeExists?: (path: string) => Promise<boolean>;
  /** Whether a pod of this node has the claim, as kubelet says; undefined when it cannot tell. Absent: kubelet is not asked before a ghost goes. */
  readonly claimInUse?: (claim: ClaimName) => Promise<boolean | undefined>;
  readonly times?: Partial<ClaimTimes>;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly files?: FileSystem;
  readonly formats?: readonly RecordFormat[];
  /** Room of the journal beside the records. */
  readonly journalBytes?: number;
  readonly lock?: () => AgentLock;
}

/** The claims of a node, and what other parts of the agent want to know of them. */
export interface ClaimsOfNode extends ClaimService {
  readonly held: Followed<readonly HeldDevice[]>;
  /** Devices that get no new work because of what happened to claims. */
  readonly isolations: Followed<readonly Isolation[]>;
  /** `writing`: this agent is the one that writes records and slices. */
  readonly state: Followed<WritingState>;
  /** As they stand in the account, for reports and dumps. */
  readonly records: readonly ClaimRecord[];
  /** Begins to seek the lock; calls of kubelet may come from now on, and wait. Returns at once. */
  start(): void;
  /** Finishes what is past its commit point, leaves the lock to others, and resolves when nothing more will be written. */
  stop(): Promise<void>;
}

/** Puts the parts together; nothing happens before `start`. */
export function createClaimService(options: ClaimServiceOptions): ClaimsOfNode {
  const {
    driver, family, node, agent, bootId, dataFolder, cdiFolder, backend, inventory, healthIsolations, reader,
    observer = SILENT_OBSERVER, status = NO_STATUS, clock = SYSTEM_CLOCK, random = Math.random, files = new LocalFileSystem(),
    deviceNodeExists, claimInUse,
  } = options;
  const times = { ...DEFAULT_TIMES, ...options.times };
  const codec = new RecordCodec(options.formats);
  const account = new Account();
  const order = new ArrivalOrder();
  const writing = new WritingTime();
  const records = new RecordFolder(files, dataFolder, codec, options.journalBytes);
  const claimCdi = new ClaimCdi(driver);
  const cdi = new CdiFolder(files, cdiFolder, claimCdi);
  const writer: Writer = new Writer({
    lock: options.lock ?? (() => {
      mkdirSync(dataFolder, { recursive: true, mode: 0o755 });
      return new WriterLock(dataFolder, { agent, formats: codec.readable }, clock);
    }),
    codec,
    clock,
    random,
    observer,
    writing,
    order,
    account,
    times,
    open: async () => openRecords({ records, cdi, account, quarantine, observer, bootId }),
    close: async () => store.close(),
    rewrite: async (uid) => store.rewrite(uid),
    rewriteUnclean: async (name) => store.rewriteUnclean(name),
    tidy: async (signal, isLong) => {
      await cleanUp.run(signal);
      if (isLong) {
        await quarantine.forgetRemoved();
        await ghosts.look(signal);
      }
      await store.sweep();
    },
  });
  const store = new ClaimStore(account, records, cdi, clock, () => writer.format);
  const read: ReadOptions = { reader, clock, random, timeout: times.readTimeout, backoff: times.readBackoff, driver, node, family };
  const devices = new DeviceWork({ backend, account, order: new PartOrder(), clock, random, observer, tries: times.tries });
  const release = new ReleaseClaim(store, devices);
  const isolations = new ClaimIsolations(account, inventory, clock, random, times.rest);
  const quarantine = new Quarantine(new QuarantineFolder(files, dataFolder, codec), cdi, account, clock, observer, bootId);
  const view = (uid: string): NodeView => ({
    pool: node, inventory: inventory.current, isolations: [...isolations.now(uid), ...healthIsolations.current], account,
  });
  const adopt = new AdoptClaim({ store, quarantine, backend, read, bootId, clock, view });
  const prepare = new PrepareClaim({
    store,
    devices,
    release,
    order,
    backend,
    read,
    bootId,
    clock,
    observer,
    view,
    mayBegin: () => writing.mayBegin(),
    isWhole: async (record) => deviceNodeExists === undefined || (await Promise.all(hostNodes(record).map(deviceNodeExists))).every(Boolean),
    fared: (device, failed) => isolations.fared(device, failed),
  });
  const lateLooks = new LateLooks({ account, read, clock, settle: times.settle, notice: (notice) => observer.noticed(notice) });
  const cleanUp = new CleanUp({ account, store, order, release, devices, clock, random, observer, backoff: times.cleanUpBackoff });
  const claims = new NodeClaims({
    account, order, prepare, release, adopt, quarantine, lateLooks, writing, cdi: claimCdi, clock, observer, status,
  });
  const ghosts = new Ghosts({
    account,
    order,
    read,
    clock,
    observer,
    grace: times.ghostGrace,
    inUse: claimInUse ?? (async () => false),
    giveBack: async (record) => claims.giveBackGhost(record),
  });
  return {
    prepare: async (names, signal) => claims.prepare(names, signal),
    unprepare: async (names, signal) => claims.unprepare(names, signal),
    held: account.held,
    isolations: isolations.followed,
    state: writing.state,
    get records() {
      return account.records;
    },
    start: () => writer.start(),
    stop: async () => {
      await writer.stop();
      isolations.stop();
    },
  };
}

const NO_STATUS: ClaimStatusSink = { prepared: () => undefined, failed: () => undefined, released: () => undefined };

function hostNodes({ devices }: ClaimRecord): readonly string[] {
  return devices.flatMap(({ prepared }) => (prepared?.edits.deviceNodes ?? []).map(({ path, hostPath }) => hostPath ?? path));
}

