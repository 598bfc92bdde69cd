import { App, type IResolver } from 'cdk8s';
import { judge } from './judgement';
import { OutputFolder } from './output-folder';
import { writePlanFolder } from './plan-folder';
import { renderTree } from './rendered-tree';
import { KubernetesTarget } from '../target/kubernetes-target';

/** Properties of a PlatformApp. */
export interface PlatformAppProps {
  /**
   * The cluster that the manifests are for; one app, one cluster.
   * @default - Kubernetes 1.34 with its default feature gates
   */
  readonly kubernetes?: KubernetesTarget;
  /**
   * Folder that the manifests are written to.
   * @default - `dist`, or what `cdk8s synth` asks for
   */
  readonly outdir?: string;
  /**
   * Codes of findings that are accepted, e.g. `DRA145`.
   * @default - none
   */
  readonly ignoreFindings?: string[];
  /**
   * Whether warnings stop the synthesis as errors do.
   * @default false
   */
  readonly failOnWarnings?: boolean;
  /**
   * Resolvers for values in manifests, before cdk8s' own.
   * @default - none
   */
  readonly resolvers?: IResolver[];
  /**
   * Whether `construct-metadata.json` is written too.
   * @default - when `cdk8s synth` asks for it
   */
  readonly recordConstructMetadata?: boolean;
}

/**
 * The root of a platform: one file a chart, a folder for each chart that holds charts, and every check over all of it.
 *
 * A chart's file is named by its own id and those of the charts around it (`30-pools/a100.yaml`); apply order is the order of
 * names. `synth` writes nothing unless everything is right, and removes the files of its last run that are no longer made. Where pools move,
 * what each phase would be is written into a sibling folder, `dist.plan` beside `dist`, which nothing applies.
 */
export class PlatformApp extends App {
  /** The cluster that the manifests are for. */
  public readonly kubernetes: KubernetesTarget;
  private readonly ignoreFindings: string[];
  private readonly failOnWarnings: boolean;

  public constructor(props: PlatformAppProps = {}) {
    super({
      outdir: props.outdir,
      outputFileExtension: '.yaml',
      resolvers: props.resolvers,
      recordConstructMetadata: props.recordConstructMetadata,
    });
    this.kubernetes = props.kubernetes ?? KubernetesTarget.find(this);
    this.kubernetes.applyTo(this);
    this.ignoreFindings = props.ignoreFindings ?? [];
    this.failOnWarnings = props.failOnWarnings ?? false;
  }

  /** Writes the manifests; throws with all findings together when there is an error among them. */
  public synth(): void {
    const tree = renderTree(this);
    const verdict = judge(tree, this.kubernetes._target, { ignore: this.ignoreFindings, failOnWarnings: this.failOnWarnings });
    if (verdict.refusal !== undefined) throw new Error(verdict.refusal);
    if (verdict.advice !== undefined) process.stderr.write(`${verdict.advice}\n`);
    const files = tree.files();
    // Private in App, and its value also depends on what cdk8s-cli asks for.
    if ((this as unknown as { recordConstructMetadata: boolean }).recordConstructMetadata) files.set('construct-metadata.json', tree.constructMetadata());
    new OutputFolder(this.outdir).write(files);
    writePlanFolder(this.outdir, this, tree.manifests, this.kubernetes._target);
  }
}
