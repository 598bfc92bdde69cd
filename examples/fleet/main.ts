import { Size } from 'cdk8s';
import { DevicePlatform, KubernetesTarget, PlatformApp, PodDevices, type ResourceClaimTemplate } from 'cdk8s-dra';
import * as kplus from 'cdk8s-plus-34';
import { addClasses, addOffer } from './fleet';
import summary from './summary.json';

// Shares of a GPU are capacity requests, which clusters take by default from 1.36 on.
const app = new PlatformApp({ kubernetes: KubernetesTarget.of('1.36') });

// A class for each model, and for each set of models that tasks ask for.
const classes = addClasses(app, [...summary.models.map(({ model }) => [model]), ...summary.modelSets.map(({ models }) => models)]);

// Templates for what is asked for often, in the namespace of their tier.
const [batch, online] = ['batch', 'online'].map(tier => addOffer(app, tier, summary.requests.filter(request => request.tier === tier), classes));

// A few workloads, as the teams would write them: they pick a template by its name.
const teams = new DevicePlatform(app, 'platform');
const container = (name: string, tag: number) => ({
  name,
  image: `registry.example.com/${name}:${tag}`,
  resources: { cpu: { request: kplus.Cpu.units(8) }, memory: { request: Size.gibibytes(30) } },
});

const ctr = new kplus.Job(teams.teamChart('batch'), 'ctr', { metadata: { name: 'ctr' }, containers: [container('ctr', 12)] });
PodDevices.of(ctr).addClaim('gpu', pick(batch, 'gpu-any-810m'));

const distill = new kplus.Job(teams.teamChart('batch'), 'distill', { metadata: { name: 'distill' }, containers: [container('distill', 3)] });
PodDevices.of(distill).addClaim('gpu', pick(batch, 'gpu-p100-v100-x1'));

const ranking = new kplus.Deployment(teams.teamChart('online'), 'ranking', {
  metadata: { name: 'ranking' }, replicas: 3, containers: [container('ranking', 88)],
});
PodDevices.of(ranking).addClaim('gpu', pick(online, 'gpu-t4-470m'));

const pretrain = new kplus.Job(teams.teamChart('online'), 'pretrain', { metadata: { name: 'pretrain' }, containers: [container('pretrain', 1)] });
PodDevices.of(pretrain).addClaim('gpus', pick(online, 'gpu-any-x8'));

app.synth();

function pick(offer: ReadonlyMap<string, ResourceClaimTemplate>, name: string): ResourceClaimTemplate {
  const template = offer.get(name);
  if (template) return template;
  throw new Error(`There is no template "${name}". Choose one of ${[...offer.keys()].join(', ')}.`);
}
