import { spawnSync } from 'node:child_process';
import { CRDS } from '../../../src/model/api';
import { schemaRefusal } from '../../../src/model/rules/schema-rule-evaluation';
import { argoCdSettings, fluxHealthChecks } from '../../../src/model/separation';

const KEY = 'resource.customizations.health.cdk8s-dra.dev_DeviceMigration';
const doubled = { type: 'DoubleOwner', status: 'True', message: 'node-1 has 8 nvidia.com/gpu and a slice' };
const STATES: ReadonlyArray<readonly [string, object | undefined, string, string]> = [
  ['no status yet', undefined, 'Healthy', 'In not started'],
  ['going on', { phase: 'Canary' }, 'Healthy', 'In Canary'],
  ['at a gate', { phase: 'Canary', waitingOn: ['gate allocation-success: 17 of 200'] }, 'Healthy', 'In Canary, waiting on gate allocation-success: 17 of 200'],
  ['held', { phase: 'Expand', held: true, waitingOn: ['hold by ann'] }, 'Suspended', 'Held in Expand'],
  ['two owners, also when held', { phase: 'Expand', held: true, conditions: [{ ...doubled, type: 'Ready' }, doubled] }, 'Degraded', doubled.message],
  ['two owners no more', { phase: 'Expand', conditions: [{ ...doubled, status: 'False' }] }, 'Healthy', 'In Expand'],
];

test.each(STATES)('Flux: %s', (_, status, health) => {
  const [{ current, failed }, ...more] = fluxHealthChecks();
  expect(more).toEqual([]);
  // Flux looks at objects of the API server; its variables are the fields of the object, here those of `self`.
  const holds = (expression: string) => schemaRefusal({ rule: expression.replaceAll('status.conditions', 'self.status.conditions') }, { status: status ?? {} }) === undefined;
  expect([holds(current), holds(failed)]).toEqual([health !== 'Degraded', health === 'Degraded']);
});

test('Argo CD: the script asks for what the schema of the status has', () => {
  const schema: any = CRDS.find(({ spec: { names } }) => names.kind === 'DeviceMigration')?.spec.versions[0].schema;
  const fields = [...argoCdSettings()[KEY].matchAll(/status\.(\w+)/g)].map(([, field]) => field).filter(field => field !== 'status');
  expect(new Set(fields)).toEqual(new Set(['conditions', 'phase', 'waitingOn', 'held']));
  for (const field of fields) expect(schema.openAPIV3Schema.properties.status.properties).toHaveProperty(field);
});

const lua = ['lua5.4', 'lua5.1', 'lua'].find(program => spawnSync(program, ['-v']).status === 0);
const describeLua = lua === undefined ? describe.skip : describe;

describeLua(lua === undefined ? 'Argo CD (there is no lua here)' : 'Argo CD', () => {
  test.each(STATES)('%s', (_, status, health, message) => {
    const script = `obj = ${luaValue({ status })}\nlocal function judge()\n${argoCdSettings()[KEY]}\nend\nlocal health = judge()\nio.write(health.status .. "|" .. health.message)`;
    expect(spawnSync(String(lua), ['-'], { input: script, encoding: 'utf8' })).toMatchObject({ status: 0, stdout: `${health}|${message}` });
  });
});

function luaValue(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(luaValue).join(', ')}}`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'nil';
  return `{${Object.entries(value).map(([key, field]) => `${key} = ${luaValue(field)}`).join(', ')}}`;
}
