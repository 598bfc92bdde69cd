// Writes test/model/api/schemas.json, what our CRDs have promised so far. Run after adding fields: node tools/api/record-schemas.mjs [--check]
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOrCheck } from '../generated-files.mjs';
import { loadModel, ROOT } from '../load-model.mjs';

const FILE = 'test/model/api/schemas.json';
const { CRDS, brokenPromises, promisesOf } = await loadModel('api/index.ts');

const promises = Object.fromEntries(CRDS.map(({ spec }) => [spec.names.kind, promisesOf(spec.versions[0].schema.openAPIV3Schema)]));
const recorded = existsSync(join(ROOT, FILE)) ? JSON.parse(readFileSync(join(ROOT, FILE), 'utf8')) : {};
const broken = Object.keys(recorded).flatMap(kind => brokenPromises(recorded[kind], promises[kind] ?? {}).map(text => `${kind}: ${text}`));
if (broken.length > 0) throw new Error(`schemas only grow, since stored objects must stay readable:\n${broken.join('\n')}`);
writeOrCheck(new Map([[FILE, `${JSON.stringify(promises, null, 2)}\n`]]), 'node tools/api/record-schemas.mjs');
