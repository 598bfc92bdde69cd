import { ClusterView, ManifestSet, moveProblems, readPlan } from 'cdk8s-dra/model';
import type { Finding, Manifest } from 'cdk8s-dra/model';

/** Moves of pools between two commits that are not allowed, at their place in the new one. */
export function moveFindings(before: readonly Manifest[], after: readonly Manifest[]): readonly Finding[] {
  const set = new ManifestSet(after);
  const [old, next] = [before, after].map((manifests) => {
    const { migrations } = readPlan(ClusterView.of(manifests));
    return new Map(migrations.map((migration) => [migration.name, migration]));
  });
  // A migration that can no longer be read is a finding of the rules, and not gone.
  const isKnown = (name: string) => next?.has(name) === true || set.named('cdk8s-dra.dev', 'DeviceMigration', name).length === 0;
  const names = [...new Set([...old?.keys() ?? [], ...next?.keys() ?? []])].filter(isKnown).sort();
  return names.flatMap((name) => moveProblems(old?.get(name), next?.get(name)).map(({ code, severity, path, message, help }): Finding => {
    const manifest = set.find('cdk8s-dra.dev', 'DeviceMigration', '', name)?.manifest;
    return { code, severity, path, message, help, ...manifest === undefined ? {} : { manifest } };
  }));
}
