import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';

import type { GrpcService } from './grpc-endpoint.js';
import { RegistrationService as DEFINITION } from '../../../gen/pluginregistration/v1/registration.js';
import type { InfoRequest, PluginInfo, RegistrationStatus, RegistrationStatusResponse as Taken } from '../../../gen/pluginregistration/v1/registration.js';

export interface RegistrationListener {
  /** Kubelet has found the socket; it gives up when the answer takes a second. */
  asked(): void;
  /** Kubelet calls the agent from now on, or says why not. */
  notified(refusal: string | undefined): void;
}

/** How kubelet gets to know the agent. */
export function registrationService(
  { driverName, endpoint, versions }: { readonly driverName: string; readonly endpoint: string; readonly versions: readonly string[] },
  listener: RegistrationListener,
): GrpcService {
  return {
    definition: DEFINITION,
    implementation: {
      getInfo: (_: ServerUnaryCall<InfoRequest, PluginInfo>, done: sendUnaryData<PluginInfo>) => {
        listener.asked();
        done(null, { type: 'DRAPlugin', name: driverName, endpoint, supportedVersions: [...versions] });
      },
      notifyRegistrationStatus: (call: ServerUnaryCall<RegistrationStatus, Taken>, done: sendUnaryData<Taken>) => {
        done(null, {});
        listener.notified(call.request.pluginRegistered ? undefined : call.request.error);
      },
    },
  };
}
