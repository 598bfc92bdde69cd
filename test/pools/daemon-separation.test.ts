import { ApiObject, App, Chart } from 'cdk8s';
import * as kplus28 from 'cdk8s-plus-28';
import * as kplus34 from 'cdk8s-plus-34';
import { DaemonSeparation, DriverInstallation, DriverProfile } from '../../src';

const gpu = DriverProfile.nvidiaGpu();
const chart = () => new Chart(new App(), 'chart', { namespace: 'plugins' });
const expression = { key: 'cdk8s-dra.dev/gpu-owner', operator: 'NotIn', values: ['handover', 'dra'] };
const termsOf = (json: any) => json.spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;

test.each<[string, (scope: Chart) => ApiObject]>([
  ['an ApiObject', scope => new ApiObject(scope, 'plugin', { apiVersion: 'apps/v1', kind: 'DaemonSet', spec: { template: { spec: { containers: [] } } } })],
  ['cdk8s-plus-28', scope => ApiObject.of(new kplus28.DaemonSet(scope, 'plugin', { containers: [{ image: 'plugin' }] }))],
  ['cdk8s-plus-34', scope => ApiObject.of(new kplus34.DaemonSet(scope, 'plugin', { containers: [{ image: 'plugin' }] }))],
])('a DaemonSet of %s is kept off nodes of other owners, however often it is said', (_, make) => {
  const object = make(chart());
  DaemonSeparation.plugin(gpu).applyTo(object);
  DaemonSeparation.plugin(gpu).applyTo(object);
  expect(termsOf(object.toJson())).toEqual([{ matchExpressions: [expression] }]);
  expect(object.toJson().spec.template.spec.tolerations).toEqual([{ key: 'status-taint.cluster-autoscaler.kubernetes.io/cdk8s-dra-gpu', operator: 'Exists' }]);
  expect(object.toJson()).toEqual(object.toJson());
});

test('what is no DaemonSet is refused', () => {
  const job = new ApiObject(chart(), 'job', { apiVersion: 'batch/v1', kind: 'Job' });
  expect(() => DaemonSeparation.plugin(gpu).applyTo(job)).toThrow('[chart/job] DaemonSeparation.applyTo() must be given a DaemonSet, got batch/v1 Job.');
});

test('a DaemonSet without pods is refused when it is rendered', () => {
  const empty = new ApiObject(chart(), 'empty', { apiVersion: 'apps/v1', kind: 'DaemonSet', spec: {} });
  DaemonSeparation.driver(gpu).applyTo(empty);
  expect(() => empty.toJson()).toThrow('must have a pod template at spec.template.spec, got none');
});

test('values of a chart that is not known are refused with those that are', () => {
  expect(() => DaemonSeparation.plugin(gpu).helmValues('manifest')).toThrow(
    "'install' must be a way to install the plugin of gpu.nvidia.com whose values are known, got \"manifest\". Use 'chart' (nvidia-device-plugin) or 'gpu-operator' (gpu-operator, "
    + 'ClusterPolicy). Otherwise give its DaemonSet the required node affinity cdk8s-dra.dev/gpu-owner NotIn (handover, dra), or use applyTo().');
  const custom = DriverProfile.custom({ driverName: 'fpga.example.com', family: 'fpga' });
  expect(() => DaemonSeparation.driver(custom).helmValues()).toThrow('give its DaemonSet the required node affinity cdk8s-dra.dev/fpga-owner In (dra), or use applyTo().');
});

test('values are the caller\'s to change', () => {
  const separation = DaemonSeparation.plugin(gpu);
  separation.helmValues('gpu-operator').daemonsets.tolerations.pop();
  expect(separation.helmValues('gpu-operator').daemonsets.tolerations).toHaveLength(2);
});

test('a driver of this platform runs where its pool is and the owner is dra', () => {
  const scope = chart();
  new DriverInstallation(scope, 'fpga', { driver: DriverProfile.custom({ driverName: 'fpga.example.com', family: 'fpga' }), image: 'fpga:1', pool: 'crypto' });
  const daemonSet = scope.toJson().find(({ kind }) => kind === 'DaemonSet');
  expect(termsOf(daemonSet)).toEqual([{
    matchExpressions: [{ key: 'cdk8s-dra.dev/fpga-pool', operator: 'In', values: ['crypto'] }, { key: 'cdk8s-dra.dev/fpga-owner', operator: 'In', values: ['dra'] }],
  }]);
});
