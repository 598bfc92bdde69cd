import type { ServerWritableStream, ServiceDefinition } from '@grpc/grpc-js';

import { DRAResourceHealthService as V1, HealthStatus } from '../../../gen/dra-health/v1/health.js';
import type { DeviceHealth, NodeWatchResourcesRequest, NodeWatchResourcesResponse } from '../../../gen/dra-health/v1/health.js';
import { DRAResourceHealthService as V1alpha1 } from '../../../gen/dra-health/v1alpha1/health.js';
import type { Followed } from '../device-state.js';
import type { GrpcService } from './grpc-endpoint.js';

/** What kubelet is told about one device. */
export interface KubeletHealth {
  readonly pool: string;
  readonly device: string;
  readonly health: 'healthy' | 'unhealthy' | 'unknown';
  readonly message?: string;
  /** Milliseconds since 1970 of the reading. */
  readonly at: number;
}

/**
 * The health of all devices, streamed to kubelet in both versions of the protocol.
 *
 * Every message is the whole list, at each change and again long before kubelet would take silence for `Unknown`.
 */
export class HealthService {
  /** In kubelet's words; kubelets before 1.37 open the stream without looking. */
  public readonly versions = ['v1.DRAResourceHealth', 'v1alpha1.DRAResourceHealth'];
  private readonly streams = new Set<HealthStream>();

  public constructor(private readonly health: Followed<readonly KubeletHealth[]>, private readonly repeatEvery = REPEAT) {}

  public get services(): readonly GrpcService[] {
    return [V1, V1alpha1].map((definition: ServiceDefinition) => ({
      definition,
      implementation: {
        nodeWatchResources: (call: ServerWritableStream<NodeWatchResourcesRequest, NodeWatchResourcesResponse>) => {
          const stream = new HealthStream(call, this.health, this.repeatEvery, () => this.streams.delete(stream));
          this.streams.add(stream);
        },
      },
    }));
  }

  /** An open stream would hold up the end of the server for ever. */
  public endAll(): void {
    for (const stream of [...this.streams]) stream.end();
  }
}

class HealthStream {
  private readonly stopFollowing: () => void;
  private readonly timer: NodeJS.Timeout;
  private isFull = false;
  private isBehind = false;

  public constructor(
    private readonly call: ServerWritableStream<NodeWatchResourcesRequest, NodeWatchResourcesResponse>,
    private readonly health: Followed<readonly KubeletHealth[]>,
    repeatEvery: number,
    private readonly onEnd: () => void,
  ) {
    this.stopFollowing = health.follow(() => this.send());
    this.timer = setInterval(() => this.send(), repeatEvery);
    call.on('drain', () => {
      this.isFull = false;
      if (this.isBehind) this.send();
    });
    for (const event of ['cancelled', 'close', 'error']) call.on(event, () => this.release());
    this.send();
  }

  public end(): void {
    this.release();
    this.call.end();
  }

  private release(): void {
    this.stopFollowing();
    clearInterval(this.timer);
    this.onEnd();
  }

  /** A kubelet that does not read gets the newest list once it does, and not all those between. */
  private send(): void {
    this.isBehind = this.isFull;
    if (this.isFull) return;
    this.isFull = !this.call.write({ devices: this.health.current.map(healthMessage) });
  }
}

/** Seconds; a kubelet from 1.35 on waits that long for the next message, an older one 30. */
const TIMEOUT = 30;
const REPEAT = 10_000;

function healthMessage({ pool, device, health, message = '', at }: KubeletHealth): DeviceHealth {
  return {
    device: { poolName: pool, deviceName: device },
    health: health === 'healthy' ? HealthStatus.HEALTHY : health === 'unhealthy' ? HealthStatus.UNHEALTHY : HealthStatus.UNKNOWN,
    lastUpdatedTime: BigInt(Math.floor(at / 1000)),
    healthCheckTimeoutSeconds: BigInt(TIMEOUT),
    message: message.slice(0, MAX_MESSAGE),
  };
}

/** Kubelet cuts there too. */
const MAX_MESSAGE = 1024;
