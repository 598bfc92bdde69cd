import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { agentDump } from './agent-dump.js';
import { AGENT_VERSION } from './agent-version.js';
import { NodeAgent } from './agent.js';
import type { DriverParts } from './agent.js';
import { bootId } from './boot-id.js';
import type { ClaimName } from './claim-service.js';
import { ClaimStatusWriter } from './claim-status/claim-status-writer.js';
import { SYSTEM_CLOCK } from './claims/clock.js';
import { createClaimService } from './claims/create-claim-service.js';
import type { ClaimsOfNode } from './claims/create-claim-service.js';
import { clusterReader } from './cluster-reader.js';
import type { AgentConfiguration } from './config/agent-configuration.js';
import type { AgentIdentity } from './config/agent-identity.js';
import type { DeviceState, HeldDevice, Isolation } from './device-state.js';
import { Discovery } from './discovery.js';
import { FollowedValue } from './followed-value.js';
import { HealthMonitor } from './health/health-monitor.js';
import { IsolationBook } from './isolation-book.js';
import { KubeletPlugin } from './kubelet/kubelet-plugin.js';
import { PodResourcesReader } from './kubelet/pod-resources.js';
import { socketPaths } from './kubelet/socket-paths.js';
import { removeStaleSockets } from './kubelet/stale-sockets.js';
import { nodeObservation } from './node-observation.js';
import { NodeWatch } from './node-watch.js';
import type { AgentLog } from './observe/agent-log.js';
import { AgentMetrics } from './observe/agent-metrics.js';
import { AgentObserver } from './observe/agent-observer.js';
import { deviceUsers, exportDeviceUsers } from './observe/device-users.js';
import { EventWriter } from './observe/event-writer.js';
import { HttpServer } from './observe/http-server.js';
import type { AgentPart } from './part-for-node.js';
import { SlicePublisher } from './slices/slice-publisher.js';
import { nodeReport } from './witness/node-report.js';
import { ReportWriter } from './witness/report-writer.js';
import { createBackend } from '../devices/create-backend.js';
import { HostRoot } from '../devices/host/host-root.js';
import type { Inventory } from '../devices/inventory.js';
import type { KubeClient } from '../kube/kube-client.js';

export interface AgentSetting {
  readonly configuration: AgentConfiguration;
  readonly identity: AgentIdentity;
  readonly client: KubeClient;
  readonly log: AgentLog;
}

/** The agent of a node with all its parts; nothing happens before it runs. Throws for a configuration that cannot work. */
export function assembleAgent({ configuration, identity, client, log }: AgentSetting): NodeAgent {
  const { driverName, family, kubeletRoot, hostRoot, roles } = configuration;
  const { nodeName } = identity;
  const isDriver = roles.includes('driver');
  const metrics = new AgentMetrics(driverName, AGENT_VERSION);
  const node = new NodeWatch({ client, nodeName, family, trouble: (error) => observer.failed('the Node cannot be read', error) });
  const events = new EventWriter({
    client,
    driver: driverName,
    node: nodeName,
    nodeUid: () => node.node.current?.uid,
    instance: identity.podName ?? nodeName,
    clock: SYSTEM_CLOCK,
    counted: (outcome, count) => metrics.event(outcome, count),
  });
  const observer = new AgentObserver(metrics, log, events);
  const pods = new PodResourcesReader({ kubeletRoot });
  const boot = bootId(hostRoot);
  const driver = isDriver ? driverParts({ configuration, identity, client, observer, mode: node.mode, pods, boot }) : undefined;
  const state: DeviceState = driver?.state ?? witnessState(node.mode);
  metrics.watch(state);
  exportDeviceUsers(metrics.registry, driverName, nodeName, state, () => pods.listPods());

  const observe = async () => nodeReport(await nodeObservation({
    configuration, nodeName, bootId: boot, node, state, publishProblems: () => observer.publishProblems, pods,
  }));
  const agent: NodeAgent = new NodeAgent({
    http: httpPart(configuration, log, {
      metrics: () => metrics.text(),
      unhealthy: () => agent.unhealthy,
      unready: () => agent.unready,
      dump: async () => agentDump({
        configuration,
        identity,
        bootId: boot,
        owner: node.owner,
        state,
        publishProblems: observer.publishProblems,
        standing: agent.standing,
        unready: agent.unready,
        sockets: isDriver ? socketPaths({ ...configuration, podUid: identity.podUid }) : undefined,
        users: deviceUsers(driverName, state, await pods.listPods().catch(() => [])),
      }),
    }),
    node,
    reporter: (owner) => reporter(new ReportWriter({
      client, node: owner, family, ...(isDriver ? { driver: driverName } : {}), observe, observer: observer.reports, date: () => new Date(),
    }), state),
    events: {
      stop: async () => {
        pods.close();
        await events.stop(EVENTS_GRACE);
      },
    },
    ...(driver === undefined ? {} : { driver: driver.parts }),
    failed: (what, error) => observer.failed(what, error),
  });
  return agent;
}

/** Milliseconds for Events that wait at the end. */
const EVENTS_GRACE = 2000;

interface DriverSetting {
  readonly configuration: AgentConfiguration;
  readonly identity: AgentIdentity;
  readonly client: KubeClient;
  readonly observer: AgentObserver;
  readonly mode: DeviceState['mode'];
  readonly pods: PodResourcesReader;
  readonly boot: string;
}

function driverParts(setting: DriverSetting): { readonly parts: DriverParts; readonly state: DeviceState } {
  const { configuration, identity, client, observer, mode, pods, boot } = setting;
  const { driverName, family, kubeletRoot, dataFolder, cdiRoot, times } = configuration;
  const { nodeName, podUid } = identity;
  const root = new HostRoot(configuration.hostRoot);
  const backend = createBackend(configuration.devices, { root, now: () => performance.now() });
  const discovery = new Discovery({ backend, clock: SYSTEM_CLOCK, every: times.discovery, observer: observer.discovery });
  const { inventory } = discovery;
  const isolations = new IsolationBook();
  const sick = new FollowedValue<readonly Isolation[]>([]);
  const health = new HealthMonitor({
    backend,
    inventory,
    pool: nodeName,
    every: times.health,
    now: () => performance.now(),
    date: () => new Date(),
    observer: observer.health,
    isolate: (found) => {
      sick.set(found);
      isolations.set('health', found);
    },
  });
  const claimStatus = configuration.claimStatus ? new ClaimStatusWriter({
    client,
    driver: driverName,
    node: nodeName,
    clock: SYSTEM_CLOCK,
    records: () => claims.records,
    isolations: () => isolations.current,
    observer: observer.claimStatus,
  }) : undefined;
  const claims: ClaimsOfNode = createClaimService({
    driver: driverName,
    family,
    node: nodeName,
    agent: identity.podName ?? `${nodeName}/${process.pid}`,
    bootId: boot,
    dataFolder,
    cdiFolder: cdiRoot,
    backend,
    inventory,
    healthIsolations: sick,
    reader: clusterReader(client, nodeName),
    observer: observer.claims,
    deviceNodeExists: (path) => root.exists(path),
    claimInUse: (claim) => isInUse(kubeletRoot, pods, claim),
    times: { ghostGrace: times.ghost },
    ...(claimStatus === undefined ? {} : { status: claimStatus }),
  });
  claims.isolations.follow((found) => isolations.set('claims', found));
  if (claimStatus !== undefined) {
    isolations.follow(() => claimStatus.look());
    claims.state.follow((now) => {
      if (now === 'writing') claimStatus.start();
      else void claimStatus.stop();
    });
  }
  const state: DeviceState = { inventory, isolations, held: claims.held, mode };
  const owner = { kubeletRoot, dataFolder, driverName, podUid };
  const parts: DriverParts = {
    discovery,
    health,
    claims: { state: claims.state, start: () => claims.start(), stop: () => claims.stop() },
    kubelet: () => {
      const plugin = new KubeletPlugin({
        ...owner,
        claims,
        health: health.kubelet,
        times: { deadline: times.registration, attempts: times.registrationAttempts, grace: times.shutdown },
      });
      plugin.registration.follow((registration) => observer.registration(registration));
      return plugin;
    },
    canServeBeside: podUid !== undefined,
    removeStaleSockets: async () => void await removeStaleSockets(owner),
    publisher: (node) => new SlicePublisher({ client, driver: driverName, node, state, observer: observer.slices, clock: () => new Date() }),
  };
  // Fails now, and not after the lock was taken, when the paths are too long for sockets.
  socketPaths(owner);
  return { parts, state };
}

/** A witness has no devices of its own. */
function witnessState(mode: DeviceState['mode']): DeviceState {
  return {
    inventory: new FollowedValue<Inventory>({ devices: [], counterSets: [], problems: [] }),
    isolations: new FollowedValue<readonly Isolation[]>([]),
    held: new FollowedValue<readonly HeldDevice[]>([]),
    mode,
  };
}

/** Whether kubelet has a pod with the claim; an agent that was not given kubelet's folder cannot ask at all. */
async function isInUse(kubeletRoot: string, pods: PodResourcesReader, { namespace, name }: ClaimName): Promise<boolean | undefined> {
  if (!existsSync(join(kubeletRoot, 'pod-resources'))) return false;
  try {
    const running = await pods.listPods();
    return running.some(({ containers }) => containers.some(({ dynamicResources }) =>
      dynamicResources.some(({ claimNamespace, claimName }) => claimNamespace === namespace && claimName === name)));
  } catch {
    return undefined;
  }
}

function reporter(writer: ReportWriter, { inventory, isolations, held, mode }: DeviceState): AgentPart {
  const stops: (() => void)[] = [];
  return {
    start: () => {
      for (const value of [inventory, isolations, held, mode]) stops.push(value.follow(() => writer.changed()));
      writer.start();
    },
    stop: async () => {
      for (const stop of stops.splice(0)) stop();
      await writer.stop();
    },
  };
}

function httpPart({ http }: AgentConfiguration, log: AgentLog, answers: Omit<Parameters<typeof HttpServer.listen>[0], 'address' | 'port'>): AgentPart {
  let server: HttpServer | undefined;
  return {
    start: async () => {
      server = await HttpServer.listen({ ...http, ...answers });
      log.info({ address: http.address, port: server.port }, 'probes and metrics are served');
    },
    stop: async () => {
      await server?.close();
    },
  };
}

