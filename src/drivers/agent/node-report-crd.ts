import { Construct } from 'constructs';
import { draObject } from '../../dra/dra-object';
import { NO_PRUNE } from '../../dra/gitops-annotations';
import { DEVICE_NODE_REPORT_CRD } from '../../model/api';

/**
 * The CRD of DeviceNodeReport, which witnesses write; once a cluster, before the agents.
 *
 * GitOps engines are told never to prune it: with it the reports of all nodes would go.
 */
export class DeviceNodeReportCrd extends Construct {
  public constructor(scope: Construct, id: string) {
    super(scope, id);
    const { apiVersion, kind, metadata, spec } = DEVICE_NODE_REPORT_CRD;
    draObject(this, {
      apiVersion,
      kind,
      clusterScoped: true,
      component: 'crds',
      metadata: {
        name: metadata?.name,
        annotations: NO_PRUNE,
      },
      body: { spec },
    });
  }
}
