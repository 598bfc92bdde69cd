import { DEFINITIONS } from 'cdk8s-dra/model';
import type { Field } from 'cdk8s-dra/model';
import { isApiError } from '../../kube/api-error.js';
import type { Contract } from '../contract.js';
import { isFieldIn } from '../field-walk.js';
import type { Trial } from '../trial.js';

interface SchemaProperty {
  readonly type?: string;
  readonly items?: unknown;
  readonly additionalProperties?: unknown;
}

interface Schema {
  readonly properties?: Readonly<Record<string, SchemaProperty>>;
}

export const SCHEMA_CONTRACTS: readonly Contract[] = [
  {
    id: 'schema-resource-fields',
    area: 'API',
    title: 'the types of resource.k8s.io/v1 have exactly the fields that this project knows',
    why: 'A field that is not known to the server vanishes without an error; one that is not known to us is called a mistake.',
    mode: 'live',
    effect: 'reads',
    needs: [],
    run: async (trial) => compareSchemas(trial, '/openapi/v3/apis/resource.k8s.io/v1', 'resource.v1.'),
  },
  {
    id: 'schema-pod-fields',
    area: 'API',
    title: 'pods and quotas have the fields for claims that this project knows',
    why: 'Workloads name their claims in pod templates; explain reads claims and health from the pod status.',
    mode: 'live',
    effect: 'reads',
    needs: [],
    run: async (trial) => compareSchemas(trial, '/openapi/v3/api/v1', 'core.v1.', POD_TYPES),
  },
];

const POD_TYPES: readonly string[] = [
  'ContainerExtendedResourceRequest', 'PodExtendedResourceClaimStatus', 'PodResourceClaim',
  'PodResourceClaimStatus', 'PodSpec', 'PodStatus', 'ResourceClaim', 'ResourceHealth', 'ResourceQuotaSpec', 'ResourceRequirements',
  'ResourceStatus',
];

async function compareSchemas(trial: Trial, path: string, prefix: string, only?: readonly string[]): Promise<void> {
  let schemas: Readonly<Record<string, Schema>>;
  try {
    const { body } = await trial.client.raw({ method: 'GET', path });
    schemas = (body as { readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> } }).components?.schemas ?? {};
  } catch (error) {
    if (isApiError(error) && error.status === 403) trial.notTried('the schemas may not be read');
    throw error;
  }
  // The name on the wire differs between versions of the generator, its last three parts do not.
  const byName = new Map(Object.entries(schemas).map(([name, schema]) => [name.split('.').slice(-3).join('.'), schema]));
  const { programMinor } = trial.facts;
  for (const definition of Object.keys(DEFINITIONS).filter((name) => name.startsWith(prefix)).sort()) {
    const name = definition.slice(prefix.length);
    if (only !== undefined && !only.includes(name)) continue;
    const known = Object.entries(DEFINITIONS[definition] ?? {}).filter(([, field]) => isFieldIn(field, programMinor));
    const schema = byName.get(definition);
    if (schema === undefined) {
      trial.expect(known.length === 0, `type ${name} is not in the server's schemas`);
      continue;
    }
    const served = Object.keys(schema.properties ?? {});
    const missing = known.map(([key]) => key).filter((key) => !served.includes(key));
    const extra = served.filter((key) => !known.some(([one]) => one === key));
    trial.expect(missing.length === 0, `${name} lacks ${missing.join(', ')}`);
    trial.expect(extra.length === 0, `${name} has ${extra.join(', ')}, which is not known`);
    for (const [key, field] of known) {
      const property = schema.properties?.[key];
      if (property !== undefined) trial.expect(isSameShape(field, property), `${name}.${key} has another shape than is known`);
    }
  }
  for (const name of byName.keys()) {
    if (only === undefined && name.startsWith(prefix) && !name.endsWith('List')) trial.expect(Object.hasOwn(DEFINITIONS, name), `type ${name} is not known`);
  }
}

function isSameShape(field: Field, property: SchemaProperty): boolean {
  const isMap = property.additionalProperties !== undefined;
  return (field.map === true) === isMap && (isMap || (field.list === true) === (property.type === 'array'));
}
