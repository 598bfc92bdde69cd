import type { IConstruct } from 'constructs';
import { OLDEST, Target } from '../model/target';

/** Which feature gates differ from the version's defaults. */
export interface KubernetesTargetOptions {
  /**
   * Gates set alike in all components, by name.
   * @default - the version's defaults
   */
  readonly featureGates?: { readonly [gate: string]: boolean };
  /**
   * Gates set in one component only, by component (`kube-apiserver`, `kube-scheduler`, `kube-controller-manager`, `kubelet`) and name.
   * A feature counts as on only where every component that it needs has it on.
   * @default - as `featureGates`
   */
  readonly componentFeatureGates?: { readonly [component: string]: { readonly [gate: string]: boolean } };
}

/** The cluster that manifests are made for: its version and feature gates. */
export class KubernetesTarget {
  /**
   * A cluster of this version.
   *
   * @param version `1.34` to `1.37`; a patch level or a vendor's suffix is accepted and ignored
   */
  public static of(version: string, options: KubernetesTargetOptions = {}): KubernetesTarget {
    return new KubernetesTarget(Target.of(version, options));
  }

  /** The target of the tree that a construct stands in: the one its root was given, else 1.34, the oldest supported. */
  public static find(scope: IConstruct): KubernetesTarget {
    const found = scope.node.tryGetContext(CONTEXT_KEY);
    return found instanceof KubernetesTarget ? found : KubernetesTarget.of(OLDEST);
  }

  /** @internal */
  public readonly _target: Target;

  private constructor(target: Target) {
    this._target = target;
  }

  /** Minor version, e.g. `1.36`. */
  public get version(): string {
    return this._target.minor;
  }

  /** Makes this the target of a tree; for a plain `App`, before its first chart. `PlatformApp` does it by itself. */
  public applyTo(root: IConstruct): void {
    root.node.setContext(CONTEXT_KEY, this);
  }

  /** Whether a feature gate is on, in every component that it needs. */
  public isEnabled(gate: string): boolean {
    return this._target.enabled(gate);
  }
}

const CONTEXT_KEY = 'cdk8s-dra.dev/kubernetes-target';
