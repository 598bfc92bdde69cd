import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { credentials, Metadata } from '@grpc/grpc-js';

import { MAX_SOCKET_PATH, SocketPathError } from './socket-paths.js';
import { PodResourcesListerClient } from '../../../gen/podresources/v1/podresources.js';
import type { ContainerDevices, PodResources } from '../../../gen/podresources/v1/podresources.js';

export type { ContainerDevices, PodResources };

/**
 * What kubelet has given to the pods of its node, by claims and by device plugins.
 *
 * Kubelet answers a hundred questions a second for all who ask, so answers are shared and kept for a while.
 */
export class PodResourcesReader {
  private readonly path: string;
  private client: PodResourcesListerClient | undefined;
  private isClosed = false;
  private readonly pods: SharedAnswer<readonly PodResources[]>;
  private readonly allocatable: SharedAnswer<readonly ContainerDevices[]>;

  public constructor({ kubeletRoot, freshFor = FRESH_FOR, now = () => performance.now() }: PodResourcesOptions) {
    this.path = join(kubeletRoot, 'pod-resources', 'kubelet.sock');
    if (Buffer.byteLength(this.path) > MAX_SOCKET_PATH) throw new SocketPathError(this.path, 'kubeletRoot');
    this.pods = new SharedAnswer(freshFor, now, () => this.ask((client, answer) => {
      client.list({}, new Metadata(), limits(), (error, value) => answer(error, value?.podResources));
    }));
    this.allocatable = new SharedAnswer(freshFor, now, () => this.ask((client, answer) => {
      client.getAllocatableResources({}, new Metadata(), limits(), (error, value) => answer(error, value?.devices));
    }));
  }

  /** Pods that run or start, with their devices; at most some seconds old. */
  public listPods(): Promise<readonly PodResources[]> {
    return this.pods.get();
  }

  /** Devices of device plugins that kubelet may give out. */
  public listAllocatable(): Promise<readonly ContainerDevices[]> {
    return this.allocatable.get();
  }

  /** Nobody is asked any more: a connection that is opened later would keep the process alive. */
  public close(): void {
    this.isClosed = true;
    this.client?.close();
    this.client = undefined;
  }

  private ask<T>(call: (client: PodResourcesListerClient, answer: (error: Error | null, value: T | undefined) => void) => void): Promise<T> {
    if (this.isClosed) return Promise.reject(new Error('kubelet\'s pod-resources service is not asked any more, since the agent ends'));
    // Without the file grpc would wait and try again until the deadline.
    if (!existsSync(this.path)) {
      return Promise.reject(new Error(`kubelet's pod-resources socket is not there (${this.path}). Mount it, or look whether kubelet runs.`));
    }
    this.client ??= new PodResourcesListerClient(`unix:${this.path}`, credentials.createInsecure(), {
      'grpc.max_receive_message_length': MAX_ANSWER,
      'grpc.initial_reconnect_backoff_ms': 250,
      'grpc.max_reconnect_backoff_ms': 5000,
      'grpc.enable_channelz': 0,
    });
    const { client } = this;
    return new Promise((resolve, reject) => {
      call(client, (error, value) => {
        if (error === null && value !== undefined) resolve(value);
        else reject(new Error(`kubelet's pod-resources service: ${error?.message ?? 'an empty answer'}`, { cause: error }));
      });
    });
  }
}

export interface PodResourcesOptions {
  readonly kubeletRoot: string;
  /** Milliseconds that an answer is good for. */
  readonly freshFor?: number;
  readonly now?: () => number;
}

/** 250 pods with devices take a third of a mebibyte; the default of 4 MiB is too little for a node full of small containers. */
const MAX_ANSWER = 16 * 1024 * 1024;
const DEADLINE = 10_000;
const FRESH_FOR = 2000;

function limits(): { readonly deadline: number } {
  return { deadline: Date.now() + DEADLINE };
}

/** One question at a time; who asks meanwhile or soon after gets the same answer. A failure is told to all who wait and then forgotten. */
class SharedAnswer<T> {
  private last: { readonly at: number; readonly value: T } | undefined;
  private pending: Promise<T> | undefined;

  public constructor(private readonly freshFor: number, private readonly now: () => number, private readonly ask: () => Promise<T>) {}

  public get(): Promise<T> {
    if (this.last !== undefined && this.now() - this.last.at < this.freshFor) return Promise.resolve(this.last.value);
    this.pending ??= this.ask().then((value) => {
      this.last = { at: this.now(), value };
      return value;
    }).finally(() => { this.pending = undefined; });
    return this.pending;
  }
}
