import type { ServerUnaryCall, sendUnaryData, ServiceDefinition } from '@grpc/grpc-js';

import type { GrpcService } from './grpc-endpoint.js';
import { DRAPluginService as V1 } from '../../../gen/dra/v1/dra.js';
import type {
  Claim, Device, NodePrepareResourcesResponse as Prepared, NodeUnprepareResourcesResponse as Unprepared,
} from '../../../gen/dra/v1/dra.js';
import { DRAPluginService as V1beta1 } from '../../../gen/dra/v1beta1/dra.js';
import type { AnsweredDevice, ClaimName, ClaimService, PrepareAnswer, UnprepareAnswer } from '../claim-service.js';

/**
 * Kubelet's calls for claims, in both versions of the protocol.
 *
 * A claim that fails is told in its entry; the call itself always succeeds, because kubelet takes a failed call for a failure of all its claims.
 */
export class DraService {
  /** In kubelet's words, the preferred one first: kubelet takes the first that it knows. */
  public readonly versions = ['v1.DRAPlugin', 'v1beta1.DRAPlugin'];
  private readonly calls = new Set<AbortController>();

  public constructor(private readonly claims: ClaimService) {}

  public get services(): readonly GrpcService[] {
    // The versions differ in the share id alone, which the older one leaves out when it writes.
    return [V1, V1beta1].map((definition: ServiceDefinition) => ({
      definition,
      implementation: {
        nodePrepareResources: (call: Call, done: sendUnaryData<Prepared>) => void this.prepare(call).then((answer) => done(null, answer)),
        nodeUnprepareResources: (call: Call, done: sendUnaryData<Unprepared>) => void this.unprepare(call).then((answer) => done(null, answer)),
      },
    }));
  }

  /** Calls under way end early where they have not begun to change anything. */
  public cancelAll(): void {
    for (const call of this.calls) call.abort(CANCELLED);
  }

  private async prepare(call: Call): Promise<Prepared> {
    const failed = (error: string) => ({ devices: [], error });
    return { claims: await this.answered(call, (names, signal) => this.claims.prepare(names, signal), preparedEntry, failed) };
  }

  private async unprepare(call: Call): Promise<Unprepared> {
    const failed = (error: string) => ({ error });
    return { claims: await this.answered(call, (names, signal) => this.claims.unprepare(names, signal), unpreparedEntry, failed) };
  }

  /** Each uid that was asked for, once, and no other. */
  private async answered<A, E>(
    call: Call,
    ask: (claims: readonly ClaimName[], signal: AbortSignal) => Promise<ReadonlyMap<string, A>>,
    entry: (answer: A) => E,
    failed: (error: string) => E,
  ): Promise<{ [uid: string]: E }> {
    const claims = [...new Map(call.request.claims.map(({ uid, namespace, name }) => [uid, { uid, namespace, name }])).values()];
    const cancel = new AbortController();
    const abort = () => cancel.abort(CANCELLED);
    call.on('cancelled', abort);
    this.calls.add(cancel);
    const entries = new Map<string, E>();
    try {
      // An empty uid would be a record of nobody.
      const named = claims.filter(({ uid }) => uid !== '');
      const answers = named.length === 0 ? new Map<string, A>() : await ask(named, cancel.signal);
      for (const { uid } of claims) {
        const answer = answers.get(uid);
        entries.set(uid, answer === undefined ? failed(uid === '' ? NO_UID : NO_ANSWER) : entry(answer));
      }
    } catch (error) {
      for (const { uid } of claims) entries.set(uid, failed(shortened(error instanceof Error ? error.message : String(error))));
    } finally {
      // grpc-js tells that each answered call was cancelled, too.
      call.off('cancelled', abort);
      this.calls.delete(cancel);
    }
    return Object.fromEntries(entries);
  }
}

type Call = ServerUnaryCall<{ readonly claims: readonly Claim[] }, unknown>;

/** Without a reason of its own an abort makes an error with a stack. */
const CANCELLED = 'the call was given up';
const NO_UID = 'The claim has no uid, so nothing can be recorded for it. Kubelet always sends one; look at who calls.';
const NO_ANSWER = 'The agent has no answer for this claim, which is a mistake of the agent. Kubelet asks again by itself.';

function preparedEntry(answer: PrepareAnswer): { devices: Device[]; error: string } {
  if ('error' in answer) return { devices: [], error: errorText(answer.error) };
  return { devices: answer.devices.map(deviceMessage), error: '' };
}

function unpreparedEntry({ error }: UnprepareAnswer): { error: string } {
  return { error: error === undefined ? '' : errorText(error) };
}

function deviceMessage({ requestNames, poolName, deviceName, cdiDeviceIds, shareId }: AnsweredDevice): Device {
  return {
    // Kubelet knows top-level requests only: of `gpu/large` it looks for `gpu`.
    requestNames: [...new Set(requestNames.map((name) => name.split('/', 1)[0] ?? name))],
    poolName,
    deviceName,
    cdiDeviceIds: [...cdiDeviceIds],
    shareId,
  };
}

/** An error without words would be a success. */
function errorText(text: string): string {
  return text === '' ? NO_ANSWER : shortened(text);
}

/** Kubelet puts the text into an Event, which takes 1,024 characters with kubelet's own words before it. */
function shortened(text: string): string {
  return text.length <= MAX_ERROR ? text : `${text.slice(0, MAX_ERROR - 1)}…`;
}

const MAX_ERROR = 800;
