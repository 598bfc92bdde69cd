import * as fs from 'node:fs';
import { Yaml } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { OutputFolder } from './output-folder';
import { KnownDriver } from '../drivers/known-driver';
import type { Manifest } from '../model/manifests/manifest';
import { type QueuePlan, readPlan } from '../model/migration';
import { previewFiles, type PreviewFile } from '../model/preview';
import type { Target } from '../model/target';
import { ClusterView } from '../model/view';
import { DeviceMigration } from '../pools/device-migration';
import { KueueQuota } from '../pools/kueue-quota';

/**
 * Writes what every phase of each pool would be into `<outdir>.plan`, which no GitOps engine looks at.
 *
 * A sibling and no subfolder: engines and `kubectl apply -R` take whatever lies below the folder that they are given.
 */
export function writePlanFolder(outdir: string, root: IConstruct, manifests: readonly Manifest[], target: Target): void {
  const view = ClusterView.of(manifests);
  const { migrations } = readPlan(view);
  const files = previewFiles({ view, migrations, target, driverVersions: driverVersions(root), queues: queuePlan(root) });
  const folder = `${outdir.replace(/[/\\]+$/, '')}.plan`;
  if (files.length === 0 && !fs.existsSync(folder)) return;
  new OutputFolder(folder).write(new Map(files.map(file => [file.path, textOf(file)])));
}

function driverVersions(root: IConstruct): { readonly [migration: string]: string } {
  const migrations = root.node.findAll().filter((construct): construct is DeviceMigration => construct instanceof DeviceMigration);
  return Object.fromEntries(migrations.flatMap(({ migrationName, _driver: driver }) => (
    driver instanceof KnownDriver && driver.driverRelease !== undefined ? [[migrationName, driver.driverRelease]] : [])));
}

function queuePlan(root: IConstruct): QueuePlan {
  const plans = root.node.findAll().filter((construct): construct is KueueQuota => construct instanceof KueueQuota).map(({ _plan }) => _plan);
  return { pools: plans.flatMap(({ pools }) => pools), queues: plans.flatMap(({ queues }) => queues) };
}

function textOf(file: PreviewFile): string {
  if ('text' in file) return file.text;
  return [...file.comment.map(line => `# ${line}\n`), Yaml.stringify(...file.objects)].join('');
}
