import { argoCdSettings, fluxHealthChecks } from '../model/separation';

/** How GitOps engines read the state of a migration: waiting is healthy, held is suspended, two owners of a device is degraded. */
export class GitOpsHealth {
  /** Entries for the ConfigMap `argocd-cm`, or `configs.cm` of Argo CD's chart: health of DeviceMigration, and the field of a class that is not Git's. */
  public static argoCd(): { [key: string]: string } {
    return { ...argoCdSettings() };
  }

  /** Entries for `spec.healthCheckExprs` of a Flux Kustomization. */
  public static fluxHealthChecks(): any[] {
    return [...fluxHealthChecks()];
  }

  private constructor() {}
}
