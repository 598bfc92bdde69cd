// What a person does who reads a help that explain calls tried: its text is all that there is to go by.
import { loadModel } from '../../../tools/load-model.mjs';

const { comparisonsOf } = await loadModel('explain/selector-rewrite.ts');

/**
 * @typedef {object} Change
 * @property {string} text the help, or the alternative of it
 * @property {string[] | undefined} nodes where the pod then goes; undefined if the text names none
 * @property {(stage: import('./stage.mjs').Stage) => Promise<void>} make
 */

/**
 * The changes that a help offers, each of which has to do alone. Throws for a text that nobody could follow.
 *
 * @param {{ kind: string, text: string }} help
 * @param {readonly { id: string }[]} [knownBugs] of the same answer
 */
export function changesOf({ kind, text }, knownBugs = []) {
  const [, deed, place] = /^(.*?)(?: \(([^()]*)\))?$/.exec(text);
  const read = READERS[kind];
  const changes = read(deed, place, knownBugs);
  if (changes.length === 0) throw new Error(`Nobody can follow this help of kind ${kind}: ${text}`);
  return changes.map(({ say = deed, nodes = nodesIn(place), make }) => ({ text: say, nodes, make }));
}

const READERS = {
  'end-holder': (deed, _, knownBugs) =>
    alternatives(deed).flatMap(say => {
      if (/^see that the claim controller releases claim /.test(say)) return { say, make: stage => stage.thaw() };
      const ends = [...say.matchAll(/(pod|claim) ([^\s/]+)\/([^\s,]+)/g)];
      if (ends.length === 0 || / more\b/.test(say)) return [];
      return {
        say,
        make: async stage => {
          for (const [, what, namespace, name] of ends) await stage.delete({ kind: what === 'pod' ? 'Pod' : 'ResourceClaim', namespace, name });
          if (knownBugs.some(({ id }) => id === 'claim-deletion-wakes-nobody')) await stage.touchClasses();
        },
      };
    }),

  'lower-count': deed =>
    matched(/^ask for (?:at most )?(\d+) devices? in (.+)$/, deed, ([, count, title]) => ({
      make: stage => {
        const resource = /^the request of container (\S+) for (\S+)$/.exec(title);
        if (resource === null) return rewrite(stage, title, one => ({ ...one, count: Number(count) }));
        return twin(stage, spec => ({
          ...spec,
          containers: spec.containers.map(one => (one.name === resource[1] ? { ...one, resources: asking(one.resources, resource[2], count) } : one)),
        }));
      },
    })),

  'change-selector': deed => [
    ...matched(/^drop selector (\d+) of (.+)$/, deed, ([, index, title]) => ({
      make: stage => rewrite(stage, title, one => ({ ...one, selectors: one.selectors.filter((_, i) => i !== Number(index)) })),
    })),
    ...matched(/^ask for (\S+) (?:at most |at least )?(.+) in selector (\d+) of (.+)$/, deed, ([, name, values, index, title]) =>
      values.split(/, | or /).map(value => ({
        say: `${name} ${value}`,
        make: stage =>
          rewrite(stage, title, one => ({
            ...one,
            selectors: one.selectors.map(({ cel }, i) => {
              if (i !== Number(index)) return { cel };
              const comparison = comparisonsOf(cel.expression).find(found => found.name === name);
              return { cel: { expression: comparison.rewritten(value) } };
            }),
          })),
      })),
    ),
  ],

  'change-capacity': deed => [
    ...matched(/^ask for at most (\S+) of (\S+) in (.+)$/, deed, ([, amount, name, title]) => ({
      make: stage => rewrite(stage, title, one => ({ ...one, capacity: { requests: { ...one.capacity?.requests, [name]: amount } } })),
    })),
    ...matched(/^ask for (\S+) in place of (\S+) in (.+)$/, deed, ([, name, foreign, title]) => ({
      make: stage =>
        rewrite(stage, title, one => {
          const { [foreign]: amount, ...requests } = one.capacity.requests;
          return { ...one, capacity: { requests: { ...requests, [name]: amount } } };
        }),
    })),
  ],

  'drop-constraint': deed =>
    matched(/^drop constraint (\d+) \((\w+) (\S+)\) of claim (.+)$/, deed, ([, index, , , claim]) => ({
      make: stage => rewriteDevices(stage, claim, devices => ({ ...devices, constraints: devices.constraints.filter((_, i) => i !== Number(index)) })),
    })),

  'tolerate': deed =>
    matched(/^tolerate (.+) in (request .+)$/, deed, ([, taints, title]) => {
      const tolerate = all => stage => rewrite(stage, title, one => ({ ...one, tolerations: [...(one.tolerations ?? []), ...all.map(toleration)] }));
      if (taints.includes(' and ')) return [{ make: tolerate(taints.split(/, | and /)) }];
      return taints.split(/, | or /).map(taint => ({ say: `tolerate ${taint}`, make: tolerate([taint]) }));
    }),

  'repair-device': deed => [
    ...matched(/^delete DeviceTaintRule (\S+?),? which adds the taint/, deed, ([, name]) => ({ make: stage => stage.delete({ kind: 'DeviceTaintRule', name }) })),
    ...matched(/^repair (.+), so that the driver drops the taint$/, deed, ([, choices]) =>
      choices.split(/(?<= on \S+), | or (?=.* on )/).map(choice => {
        const [, devices, node] = /^(.+) on (\S+)$/.exec(choice);
        return { say: `repair ${choice}`, nodes: [node], make: stage => stage.untaint(node, devices.split(/, | and /)) };
      }),
    ),
  ],

  'complete-pool': deed => matched(/^let driver (\S+) publish the missing (?:slice|(\d+) slices) of pool (\S+)/, deed, ([, driver, count = '1', pool]) => ({
    make: async stage => {
      const slices = await stage.slicesOf(driver, pool);
      for (let i = 0; i < Number(count); i++) {
        const { spec } = slices[0];
        const { devices: _, sharedCounters: __, ...rest } = spec;
        await stage.create({ kind: 'ResourceSlice', metadata: { name: `${slices[0].metadata.name}-more-${i}` }, spec: rest });
      }
    },
  })),

  'repair-pool': deed => matched(/^let driver (\S+) publish pool (\S+) without names that come twice/, deed, ([, driver, pool]) => ({
    make: async stage => {
      const seen = new Set();
      for (const { metadata, spec } of await stage.slicesOf(driver, pool)) {
        const devices = spec.devices.filter(({ name }) => !seen.has(name) && seen.add(name));
        await stage.patch({ kind: 'ResourceSlice', name: metadata.name }, { spec: { devices } });
      }
    },
  })),

  'change-node': (deed, place) => {
    const remedies = deed.split(', and ').map(remedyChoices);
    if (place === undefined) return [];
    const longest = Math.max(...remedies.map(choices => choices.length));
    const node = place.split(/, | or /)[0];
    return Array.from({ length: longest }, (_, i) => ({
      say: remedies.map(choices => choices[Math.min(i, choices.length - 1)].say).join(', and '),
      nodes: place.split(/, | or /),
      make: async stage => {
        for (const choices of remedies) await choices[Math.min(i, choices.length - 1)].make(stage, node);
      },
    }));
  },
};

/** Ways to get around what keeps a pod off a node. */
const REMEDIES = [
  [/^uncordon the node$/, () => (stage, node) => stage.patch({ kind: 'Node', name: node }, { spec: { unschedulable: null } })],
  [/^let the handover of the node end$/, () => (stage, node) => stage.patch({ kind: 'Node', name: node }, { spec: { taints: null } })],
  [/^tolerate the node taints? (.+) in the pod$/, ([, taints]) => stage => twin(stage, spec => ({ ...spec, tolerations: [...(spec.tolerations ?? []), ...taints.split(', ').map(toleration)] }))],
  [/^remove (?:it|them) from the node$/, () => (stage, node) => stage.patch({ kind: 'Node', name: node }, { spec: { taints: null } })],
  [/^label the node with (.+)$/, ([, labels]) => (stage, node) => stage.patch({ kind: 'Node', name: node }, { metadata: { labels: Object.fromEntries(labels.split(', ').map(one => one.split('='))) } })],
  [/^drop (?:it|them) from the pod's nodeSelector$/, () => stage => twin(stage, ({ nodeSelector: _, ...spec }) => spec)],
  [/^widen the required node affinity of the pod$/, () => stage => twin(stage, ({ affinity: _, ...spec }) => spec)],
  [/^upgrade the kubelet of the node, so that it declares (\S+)$/, ([, feature]) => (stage, node) => stage.patch({ kind: 'Node', name: node, subresource: 'status' }, { status: { declaredFeatures: [feature] } })],
  [/^end a pod of the node$/, () => (stage, node) => stage.endPodsOf(node, 1)],
  [/^free (\S+) of (\S+) on the node$/, () => (stage, node) => stage.endPodsOf(node)],
  [/^ask for at most (\S+) of (\S+)$/, ([, amount, resource]) => stage => twin(stage, spec => ({ ...spec, containers: spec.containers.map(one => ({ ...one, resources: asking(one.resources, resource, amount) })) }))],
];

function remedyChoices(remedy) {
  return remedy.split(/, or /).map(say => {
    for (const [pattern, read] of REMEDIES) {
      const found = pattern.exec(say);
      if (found !== null) return { say, make: read(found) };
    }
    throw new Error(`Nobody can follow this: ${say}`);
  });
}

function asking(resources, resource, amount) {
  const set = amounts => (amounts?.[resource] === undefined ? {} : { [resource]: amount });
  return {
    ...resources,
    ...(resources.requests === undefined ? {} : { requests: { ...resources.requests, ...set(resources.requests) } }),
    ...(resources.limits === undefined ? {} : { limits: { ...resources.limits, ...set(resources.limits) } }),
  };
}

/** Another claim or template with one request written anew, and the pod made anew with it; the title is that of texts. */
function rewrite(stage, title, change) {
  const [, reference, claim] = /^request (\S+)(?: of claim (.+))?$/.exec(title);
  const [name, alternative] = reference.split('/');
  return rewriteDevices(
    stage,
    claim,
    devices => ({
      ...devices,
      requests: devices.requests.map(request => {
        if (request.name !== name) return request;
        if (alternative === undefined) return { ...request, exactly: change(request.exactly) };
        return { ...request, firstAvailable: request.firstAvailable.map(one => (one.name === alternative ? change(one) : one)) };
      }),
    }),
    devices => devices.requests.some(request => request.name === name),
  );
}

/** Claims and templates cannot be changed, so there is a new one, and a new pod. A claim is named by `name` or `name (template t)`. */
async function rewriteDevices(stage, label, change, isMeant = () => true) {
  const [, claimName, templateName] = /^(\S+)(?: \(template (\S+)\))?$/.exec(label ?? '') ?? [];
  const { namespace, name } = stage.pod;
  const pod = stage.given({ kind: 'Pod', namespace, name });
  const made = await stage.read({ kind: 'Pod', namespace, name });
  let changed = 0;
  const resourceClaims = [];
  for (const entry of pod.spec.resourceClaims) {
    const field = entry.resourceClaimName === undefined ? 'resourceClaimTemplateName' : 'resourceClaimName';
    const kind = entry.resourceClaimName === undefined ? 'ResourceClaimTemplate' : 'ResourceClaim';
    const given = stage.given({ kind, namespace, name: entry[field] });
    const claim = entry.resourceClaimName ?? made.status.resourceClaimStatuses.find(status => status.name === entry.name)?.resourceClaimName;
    const devices = kind === 'ResourceClaim' ? given.spec.devices : given.spec.spec.devices;
    const isNamed = label === undefined || (claim === claimName && entry.resourceClaimTemplateName === templateName);
    if (!isNamed || !isMeant(devices)) {
      resourceClaims.push(entry);
      continue;
    }
    changed++;
    const other = `${entry[field]}-changed`;
    const spec = { devices: change(devices) };
    await stage.create({ kind, metadata: { namespace, name: other }, spec: kind === 'ResourceClaim' ? spec : { spec } });
    resourceClaims.push({ name: entry.name, [field]: other });
  }
  if (changed !== 1) throw new Error(`The text means ${changed} claims of the pod, not one.`);
  await stage.again({ kind: 'Pod', namespace, name }, { spec: { resourceClaims } });
}

async function twin(stage, change) {
  const { namespace, name } = stage.pod;
  const { spec } = stage.given({ kind: 'Pod', namespace, name });
  const changed = change(spec);
  const gone = Object.fromEntries(Object.keys(spec).filter(key => changed[key] === undefined).map(key => [key, null]));
  await stage.again({ kind: 'Pod', namespace, name }, { spec: { ...changed, ...gone } });
}

/** `end a, end b or end c` as three; with `and` all of them are one. */
function alternatives(deed) {
  return / and (?=end |delete )/.test(deed) ? [deed] : deed.split(/, (?=end |delete |see )| or (?=end |delete |see )/);
}

/** `key=value:effect`, as taints are shown. */
function toleration(shown) {
  const [, key, value = '', effect] = /^([^=:]+)(?:=([^:]*))?:(\w+)$/.exec(shown);
  return { key, operator: 'Equal', value, effect };
}

/** What `read` makes of a text that has the form; nothing of any other. */
function matched(pattern, text, read) {
  const found = pattern.exec(text);
  return found === null ? [] : [read(found)].flat();
}

/** `a and b then fit`, `a then fits`, `a or b`. */
function nodesIn(place) {
  return place?.replace(/ then fits?$/, '').split(/, | and | or /);
}
