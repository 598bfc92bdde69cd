import { existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { connectivityState, credentials, Metadata } from '@grpc/grpc-js';
import type { CallOptions, ClientReadableStream, ClientUnaryCall, ServiceError } from '@grpc/grpc-js';

import { DRAPluginClient as V1 } from '../../../gen/dra/v1/dra.js';
import type { Claim, NodePrepareResourcesResponse, NodeUnprepareResourcesResponse } from '../../../gen/dra/v1/dra.js';
import { DRAPluginClient as V1beta1 } from '../../../gen/dra/v1beta1/dra.js';
import { DRAResourceHealthClient as HealthV1 } from '../../../gen/dra-health/v1/health.js';
import type { NodeWatchResourcesResponse } from '../../../gen/dra-health/v1/health.js';
import { DRAResourceHealthClient as HealthV1alpha1 } from '../../../gen/dra-health/v1alpha1/health.js';
import { RegistrationClient } from '../../../gen/pluginregistration/v1/registration.js';
import type { PluginInfo } from '../../../gen/pluginregistration/v1/registration.js';
import { fileIdentity } from '../../../src/node/kubelet/unix-socket.js';

export interface FakeKubeletOptions {
  readonly root: string;
  /** Versions that it knows. */
  readonly versions?: readonly string[];
  /** Between two looks at the registry. */
  readonly every?: number;
}

interface Plugin {
  readonly file: string;
  readonly info: PluginInfo;
  readonly version: string;
  readonly client: V1;
}

/**
 * The half of kubelet that drivers meet, as 1.34 to 1.37 behave: it looks into the registry, asks once within a second, takes the first version
 * that it knows, tells the plugin, keeps a connection to its endpoint, and calls the newest plugin of a driver that is connected.
 *
 * Its own faults are switched on from outside. The suite `agent` of test/cluster holds the same contracts against real kubelets.
 */
export class FakeKubelet {
  public readonly registry: string;
  /** Sockets that it found, in order; the same path again when the file is another one. */
  public readonly found: string[] = [];
  /** It takes this long to look at a new socket; beyond a second its own deadline has passed. */
  public delayBeforeRegistering = 0;
  /** Sockets to pass over without a word. */
  public ignore = 0;
  /** Plugins to refuse with these words. */
  public refuseWith: string | undefined;
  private readonly plugins = new Map<string, Plugin>();
  private readonly calls = new Set<ClientUnaryCall>();
  private readonly seen = new Map<string, string>();
  private loop: Promise<void> = Promise.resolve();
  private isRunning = false;

  public constructor(private readonly options: FakeKubeletOptions) {
    this.registry = join(options.root, 'plugins_registry');
    mkdirSync(this.registry, { recursive: true });
  }

  public start(): void {
    this.isRunning = true;
    this.loop = this.run();
  }

  /** Ends as a killed kubelet does: connections drop, and it knows nothing any more. */
  public async stop(): Promise<void> {
    this.isRunning = false;
    await this.loop;
    for (const call of this.calls) call.cancel();
    for (const { client } of this.plugins.values()) client.close();
    this.plugins.clear();
    this.seen.clear();
  }

  /** Drivers that it would call, with the endpoint of each. */
  public get registered(): readonly { readonly name: string; readonly endpoint: string; readonly version: string }[] {
    return [...this.plugins.values()].map(({ info, version }) => ({ name: info.name, endpoint: info.endpoint, version }));
  }

  /** Endpoints that it has a connection to. */
  public get connected(): readonly string[] {
    return [...this.plugins.values()].filter(isConnected).map(({ info }) => info.endpoint);
  }

  public prepare(driver: string, claims: readonly Claim[], deadline = 45_000): Promise<NodePrepareResourcesResponse> {
    const { client } = this.pluginOf(driver);
    return this.called((options, done) => client.nodePrepareResources({ claims: [...claims] }, new Metadata(), options, done), deadline);
  }

  public unprepare(driver: string, claims: readonly Claim[], deadline = 45_000): Promise<NodeUnprepareResourcesResponse> {
    const { client } = this.pluginOf(driver);
    return this.called((options, done) => client.nodeUnprepareResources({ claims: [...claims] }, new Metadata(), options, done), deadline);
  }

  /** The health stream; the caller ends it. */
  public watchHealth(driver: string, version: 'v1' | 'v1alpha1'): ClientReadableStream<NodeWatchResourcesResponse> {
    const { info } = this.pluginOf(driver);
    const target = `unix:${info.endpoint}`;
    const client = version === 'v1' ? new HealthV1(target, credentials.createInsecure()) : new HealthV1alpha1(target, credentials.createInsecure());
    const stream = client.nodeWatchResources({});
    stream.once('close', () => client.close());
    return stream;
  }

  private async called<T>(call: (options: Partial<CallOptions>, done: Done<T>) => ClientUnaryCall, deadline: number): Promise<T> {
    let underWay: ClientUnaryCall | undefined;
    try {
      return await unary<T>((options, done) => {
        underWay = call(options, done);
        this.calls.add(underWay);
      }, deadline);
    } finally {
      if (underWay !== undefined) this.calls.delete(underWay);
    }
  }

  private async run(): Promise<void> {
    while (this.isRunning) {
      await this.look();
      await sleep(this.options.every ?? 10);
    }
  }

  private async look(): Promise<void> {
    const present = new Map<string, string>();
    for (const name of readdirSync(this.registry).sort()) {
      const path = join(this.registry, name);
      const file = fileIdentity(path);
      if (!name.startsWith('.') && file !== undefined && lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true) present.set(path, file);
    }
    for (const [path, plugin] of this.plugins) {
      if (present.get(path) === plugin.file) continue;
      this.plugins.delete(path);
      plugin.client.close();
    }
    for (const [path, file] of present) {
      if (this.plugins.has(path)) continue;
      if (this.seen.get(path) !== file) this.found.push(path);
      this.seen.set(path, file);
      await this.register(path, file).catch(() => undefined);
    }
  }

  private async register(path: string, file: string): Promise<void> {
    if (this.found.length <= this.ignore) return;
    // As grpc-go's DialContext with a dialer of its own: the path, percent-encoded, is the authority.
    const registration = new RegistrationClient(`unix:${path}`, credentials.createInsecure(), { 'grpc.default_authority': encodeURIComponent(path) });
    try {
      const asked = Date.now();
      await sleep(this.delayBeforeRegistering);
      const left = Math.max(1, asked + 1000 - Date.now());
      const info = await unary<PluginInfo>((options, done) => { registration.getInfo({}, new Metadata(), options, done); }, left);
      const known = this.options.versions ?? ['v1.DRAPlugin', 'v1beta1.DRAPlugin'];
      const version = info.supportedVersions.find((each) => known.includes(each));
      const refusal = this.refuseWith ?? (version === undefined
        ? `none of services supported by the plugin (${info.supportedVersions.join(', ')}) are supported by the kubelet (${known.join(', ')})`
        : undefined);
      if (refusal === undefined && version !== undefined) this.plugins.set(path, { file, info, version, client: connectedClient(info, version) });
      await unary((options, done) => {
        registration.notifyRegistrationStatus({ pluginRegistered: refusal === undefined, error: refusal ?? '' }, new Metadata(), options, done);
      }, 5000);
    } finally {
      registration.close();
    }
  }

  private pluginOf(driver: string): Plugin {
    const all = [...this.plugins.values()].filter(({ info }) => info.name === driver).reverse();
    const plugin = all.find(isConnected) ?? all[0];
    if (plugin === undefined) throw new Error(`DRA driver ${driver} is not registered`);
    return plugin;
  }
}

function isConnected({ client }: Plugin): boolean {
  return client.getChannel().getConnectivityState(false) === connectivityState.READY;
}

/** Kubelet connects at once, whether it calls or not. */
function connectedClient({ endpoint }: PluginInfo, version: string): V1 {
  const client = version === 'v1.DRAPlugin'
    ? new V1(`unix:${endpoint}`, credentials.createInsecure())
    : new V1beta1(`unix:${endpoint}`, credentials.createInsecure()) as unknown as V1;
  client.getChannel().getConnectivityState(true);
  return client;
}

type Done<T> = (error: ServiceError | null, value: T) => void;

function unary<T>(call: (options: Partial<CallOptions>, done: Done<T>) => void, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    call({ deadline: Date.now() + milliseconds }, (error, value) => {
      if (error === null) resolve(value);
      else reject(error);
    });
  });
}

/** Waits until something holds; says what held last when it does not come. */
export async function until(what: string, holds: () => boolean, milliseconds = 10_000): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not within ${milliseconds / 1000} s: ${what}`);
    await sleep(5);
  }
}

export function socketsIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}
