// Renders the charts that repositories.json lists with helm: `node tools/wild/render.mjs CHECKOUTS OUT`.
// CHECKOUTS holds folders named <owner>+<name>; OUT gets a folder for each chart and set of values.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KUBERNETES = '1.36.0';
const { repositories } = JSON.parse(readFileSync(new URL('repositories.json', import.meta.url), 'utf8'));
const [checkouts, out] = process.argv.slice(2);
if (out === undefined) throw new Error('name the folder of the checkouts and the one to write to');

for (const { repository, charts = [] } of repositories) {
  for (const { path, namespace, output, set = [] } of charts) {
    const args = ['template', 'release', join(checkouts, repository.replace('/', '+'), path), '--namespace', namespace, '--include-crds'];
    args.push('--kube-version', KUBERNETES, '--api-versions', 'resource.k8s.io/v1', ...set.flatMap(value => ['--set', value]));
    const manifests = execFileSync('helm', args, { maxBuffer: 1 << 28 });
    mkdirSync(join(out, output), { recursive: true });
    writeFileSync(join(out, output, 'manifests.yaml'), manifests);
  }
}
