import type { Socket } from 'node:net';

import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { ConnectionInjector, ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';

import { UnixSocket } from './unix-socket.js';

/** A service and what answers its calls. */
export interface GrpcService {
  readonly definition: ServiceDefinition;
  readonly implementation: UntypedServiceImplementation;
}

/**
 * gRPC services on a unix socket of our own.
 *
 * The socket is ours and not grpc-js's, so that its file appears and goes when we say and open connections can be counted: kubelet keeps one for
 * as long as it knows the agent.
 */
export class GrpcEndpoint {
  /** `onConnections` is told how many connections are open whenever one comes or goes. */
  public static async open(path: string, services: readonly GrpcService[], onConnections?: (open: number) => void): Promise<GrpcEndpoint> {
    const server = new Server({
      // A batch of claims is some kilobytes; what is beyond is no kubelet.
      'grpc.max_receive_message_length': MAX_REQUEST,
      'grpc.max_send_message_length': -1,
      'grpc.enable_channelz': 0,
    });
    for (const { definition, implementation } of services) server.addService(definition, implementation);
    const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
    const connections = new Set<Socket>();
    const accept = (socket: Socket) => {
      connections.add(socket);
      socket.once('close', () => {
        connections.delete(socket);
        onConnections?.(connections.size);
      });
      injector.injectConnection(socket);
      onConnections?.(connections.size);
    };
    return new GrpcEndpoint(await UnixSocket.listen(path, accept), server, injector, connections);
  }

  private constructor(
    private readonly socket: UnixSocket,
    private readonly server: Server,
    private readonly injector: ConnectionInjector,
    private readonly connections: ReadonlySet<Socket>,
  ) {}

  public get path(): string {
    return this.socket.path;
  }

  /** Whether the file at the path is still this endpoint's. */
  public get isInPlace(): boolean {
    return this.socket.isInPlace;
  }

  public get openConnections(): number {
    return this.connections.size;
  }

  /** Takes no new connections and calls, lets calls under way end for `grace` milliseconds, then cuts; the file goes last. */
  public async close(grace: number): Promise<void> {
    this.socket.stopAccepting();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.server.forceShutdown();
        resolve();
      }, grace);
      this.server.tryShutdown(() => {
        clearTimeout(timer);
        resolve();
      });
    });
    this.injector.destroy();
    for (const connection of this.connections) connection.destroy();
    this.socket.remove();
  }
}

const MAX_REQUEST = 4 * 1024 * 1024;
