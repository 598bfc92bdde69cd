import { Construct } from 'constructs';
import { draObject } from '../dra/dra-object';
import { NO_PRUNE, syncWave } from '../dra/gitops-annotations';
import { CRDS, DEVICE_NODE_REPORT_CRD } from '../model/api';

/** Properties of MigrationCrds. */
export interface MigrationCrdsProps {
  /**
   * Whether the CRD of DeviceNodeReport is among them; false where a DeviceNodeReportCrd makes it.
   * @default true
   */
  readonly nodeReports?: boolean;
}

/**
 * The CRDs of all kinds of this project; once a cluster, before everything that uses them.
 *
 * GitOps engines are told never to prune them: with a CRD all of its objects would go.
 */
export class MigrationCrds extends Construct {
  public constructor(scope: Construct, id: string, props: MigrationCrdsProps = {}) {
    super(scope, id);
    const { nodeReports = true } = props;
    for (const { apiVersion, kind, metadata, spec } of CRDS) {
      if (metadata?.name === DEVICE_NODE_REPORT_CRD.metadata?.name && !nodeReports) continue;
      draObject(new Construct(this, spec.names.kind), {
        apiVersion,
        kind,
        clusterScoped: true,
        component: 'crds',
        metadata: { name: metadata?.name, annotations: { ...NO_PRUNE, ...syncWave('crds') } },
        body: { spec },
      });
    }
  }
}
