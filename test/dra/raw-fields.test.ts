import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, Chart, JsonPatch, Yaml } from 'cdk8s';
import { DeviceClass, DeviceRequest, PlatformApp, RawFields, ResourceClaim } from '../../src';

function platform(): { app: PlatformApp; chart: Chart; read: () => any } {
  const outdir = mkdtempSync(join(tmpdir(), 'cdk8s-dra-'));
  const app = new PlatformApp({ outdir });
  return { app, chart: new Chart(app, 'chart', { namespace: 'team' }), read: () => Yaml.load(join(outdir, 'chart.yaml'))[0] };
}

const claim = (chart: Chart) => new ResourceClaim(chart, 'claim', {
  requests: [DeviceRequest.exactly('gpu', { deviceClass: DeviceClass.fromDeviceClassName('gpu') })],
});

test('a field that the library does not know passes when it is added raw', () => {
  const { app, chart, read } = platform();
  const object = claim(chart);
  RawFields.of(object).add('/spec/devices/requests/0/exactly/fromTheFuture', { deep: [1] });
  RawFields.of(object).add('/spec/a~1b', true);

  app.synth();

  expect(read().spec.devices.requests[0].exactly.fromTheFuture).toEqual({ deep: [1] });
  expect(read().spec['a/b']).toBe(true);
});

test('the same field put in by a plain patch is a mistake', () => {
  const { app, chart } = platform();
  ApiObject.of(claim(chart)).addJsonPatch(JsonPatch.add('/spec/fromTheFuture', 1));

  expect(() => app.synth()).toThrow(/fromTheFuture.*DRA112/);
});

test('a field that the library knows and the target lacks stays refused', () => {
  const { app, chart } = platform();
  RawFields.of(new DeviceClass(chart, 'gpu')).add('/spec', { extendedResourceName: 'example.com/gpu' });

  expect(() => app.synth()).toThrow(/DRAExtendedResource/);
});

test('a pointer without a slash is refused', () => {
  expect(() => RawFields.of(claim(platform().chart)).add('spec.x', 1)).toThrow(/^\[chart\/claim\/Resource\] 'pointer' must be a JSON pointer, got "spec\.x"/);
});
