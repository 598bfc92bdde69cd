import { Chart } from 'cdk8s';
import { DeviceClass, DeviceRequest, DriverProfile, ResourceClaimTemplate } from 'cdk8s-dra';
import type { Construct } from 'constructs';
import { className, sortedBy, templateName, type GpuRequest } from './gpu-request';

/*
 * What the driver publishes for each GPU of a node, and all that is built on:
 *   attributes  model: the name of the model
 *   capacity    milli: 1k, with requestPolicy {default: 1k, validRange: {min: 10, step: 10}}
 *   allowMultipleAllocations: true
 * Thousandths are whole units on purpose: amounts below one, such as 460m of 1, are compared exactly only with a feature gate of 1.37.
 */
const driver = DriverProfile.custom({ driverName: 'gpu.fleet.example.com', family: 'gpu' });
const model = driver.stringAttribute('model');
const milli = driver.capacity('milli');

/** Classes by name, in a file of their own: cluster-wide, reviewed by the owners of the fleet. */
export function addClasses(scope: Construct, modelSets: readonly string[][]): Map<string, DeviceClass> {
  const chart = new Chart(scope, '20-classes');
  const named = new Map(modelSets.map(models => [className(models), models]));
  return new Map(sortedBy([...named], ([name]) => name).map(([name, models]) => [
    name, new DeviceClass(chart, name, { driver, selectors: models.length > 0 ? [model.oneOf(...models)] : [] }),
  ]));
}

/** The templates of one namespace by name, in `40-offers/<namespace>.yaml`, apart from the workloads that use them. */
export function addOffer(
  scope: Construct, namespace: string, requests: readonly GpuRequest[], classes: ReadonlyMap<string, DeviceClass>,
): Map<string, ResourceClaimTemplate> {
  const folder = scope.node.tryFindChild('40-offers') as Chart | undefined ?? new Chart(scope, '40-offers');
  const chart = new Chart(folder, namespace, { namespace });
  return new Map(sortedBy(requests, templateName).map(request => [templateName(request), addTemplate(chart, request, classes)]));
}

function addTemplate(chart: Chart, request: GpuRequest, classes: ReadonlyMap<string, DeviceClass>): ResourceClaimTemplate {
  const deviceClass = classes.get(className(request.models));
  if (!deviceClass) throw new Error(`A request must name models that have a class, got ${request.models.join(', ')}. Add the set to 'modelSets'.`);
  return new ResourceClaimTemplate(chart, templateName(request), {
    requests: [DeviceRequest.exactly('gpu', {
      deviceClass,
      count: request.gpus,
      // Also for whole GPUs: without an amount the driver's default would decide. The server writes 1000 as 1k.
      capacity: [milli.amount(request.milli === 1000 ? '1k' : String(request.milli))],
    })],
  });
}
