import { holdFiles } from './hold-file';
import { phaseFiles } from './phase-files';
import { poolReadme } from './pool-readme';
import type { PreviewFile } from './preview-file';
import type { PreviewInput } from './preview-input';
import { queueFiles } from './queue-quota';
import { rollbackText } from './rollback-text';
import { separationFile } from './separation-file';
import { API_GROUP } from '../api';
import { argoCdSettings, fluxHealthChecks } from '../separation';

/** Everything that lies beside the manifests and is applied by nobody, sorted by path; none where nothing moves. */
export function previewFiles(input: PreviewInput): readonly PreviewFile[] {
  if (input.migrations.length === 0) return [];
  const files = [
    overview(input),
    ...gitOpsFiles(),
    ...queueFiles(input),
    ...input.migrations.flatMap(pool => [
      poolReadme(pool, input), rollbackText(pool, input), ...holdFiles(pool, input), ...phaseFiles(pool, input), ...separationFile(pool),
    ]),
  ];
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function overview({ migrations, target }: PreviewInput): PreviewFile {
  return {
    path: 'README.md',
    text: [
      '# Plan',
      '',
      `What the migrations of this platform mean on ${target.toString()}: every phase of each pool, how to stop it, and the way back. The synthesis writes this folder; keep it out `
      + 'of every path that a GitOps engine applies.',
      '',
      '| pool | family | driver | phase |',
      '| --- | --- | --- | --- |',
      ...migrations.map(({ name, spec }) => `| [${name}](${name}/README.md) | ${spec.family} | ${spec.driver} | ${spec.phase} |`),
      '',
      '`gitops/` holds what Argo CD and Flux need to know to tell waiting from held and from broken.',
      '',
    ].join('\n'),
  };
}

function gitOpsFiles(): readonly PreviewFile[] {
  return [
    {
      path: 'gitops/argocd-cm.yaml',
      comment: [`Health of ${API_GROUP} in Argo CD. Patch: kubectl patch configmap argocd-cm -n argocd --patch-file argocd-cm.yaml, or configs.cm of its chart.`],
      objects: [{ data: argoCdSettings() }],
    },
    {
      path: 'gitops/flux-kustomization.yaml',
      comment: ['Part of the Flux Kustomization that applies the manifests.'],
      objects: [{ spec: { healthCheckExprs: fluxHealthChecks() } }],
    },
  ];
}
