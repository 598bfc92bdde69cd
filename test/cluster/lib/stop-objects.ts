// The CRDs of a migration and the policies that read a hold, as the constructs emit them. Loaded by source.mjs.
import { ApiObject, App, Chart } from 'cdk8s';
import { DevicePolicies, DevicePolicy, KubernetesTarget, MigrationCrds } from '../../../src';

/** In the order of installation. */
export function stopObjects(minor: string): readonly object[] {
  const app = new App();
  KubernetesTarget.of(minor).applyTo(app);
  const chart = new Chart(app, 'stops');
  new MigrationCrds(chart, 'crds');
  new DevicePolicies(chart, 'policies', { policies: [DevicePolicy.HOLD] });
  return app.node.findAll().filter((construct): construct is ApiObject => construct instanceof ApiObject).map(object => object.toJson() as object);
}
