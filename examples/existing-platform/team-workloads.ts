import { ApiObject, Chart, Duration, JsonPatch, Size } from 'cdk8s';
import { type IClaimSource, PodDevices } from 'cdk8s-dra'; // added for DRA
import * as kplus from 'cdk8s-plus-28';
import type { Construct } from 'constructs';

/** Everything of one team, in its namespace and with our labels. */
export class TeamChart extends Chart {
  public constructor(scope: Construct, team: string) {
    super(scope, `team-${team}`, { namespace: team, labels: { 'example.com/team': team } });
  }
}

export interface TeamJobProps {
  readonly image: string;
  /** GPUs of the device plugin, on nodes that still have it. */
  readonly gpus?: number;
  /** Claim or template that the job's pods take devices from. */
  readonly devices?: IClaimSource; // added for DRA
}

/** A batch job by our rules: two retries, gone after a day. */
export class TeamJob extends kplus.Job {
  public constructor(scope: Construct, id: string, props: TeamJobProps) {
    super(scope, id, {
      metadata: { name: id },
      backoffLimit: 2,
      ttlAfterFinished: Duration.hours(24),
      containers: [teamContainer(id, props.image)],
    });
    if (props.gpus !== undefined) {
      const limit = '/spec/template/spec/containers/0/resources/limits/nvidia.com~1gpu';
      ApiObject.of(this).addJsonPatch(JsonPatch.add(limit, kplus.k8s.Quantity.fromNumber(props.gpus)));
    }
    if (props.devices) PodDevices.of(this).addClaim('devices', props.devices); // added for DRA
  }
}

export function teamContainer(name: string, image: string): kplus.ContainerProps {
  return {
    name,
    image: `registry.example.com/${image}`,
    resources: {
      cpu: { request: kplus.Cpu.units(4), limit: kplus.Cpu.units(8) },
      memory: { request: Size.gibibytes(16), limit: Size.gibibytes(16) },
    },
  };
}
