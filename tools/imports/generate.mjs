// Usage: node tools/imports/generate.mjs [--out DIR]
// Writes types.ts and fields.ts from imports/openapi; needs no network.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fieldsText } from './fields-text.mjs';
import { readGraph } from './graph.mjs';
import { typesText } from './types-text.mjs';

const imports = fileURLToPath(new URL('../../imports', import.meta.url));
const { values: { out } } = parseArgs({ options: { out: { type: 'string', default: imports } } });

const graph = readGraph(join(imports, 'openapi'));
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'types.ts'), typesText(graph));
writeFileSync(join(out, 'fields.ts'), fieldsText(graph));
