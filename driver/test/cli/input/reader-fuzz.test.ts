import fc from 'fast-check';

import { DocumentCollector } from '../../../src/cli/input/document-collector.js';

const SEED = Buffer.from(`apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: &meta {name: "gpu", labels: {a: 'b'}}
spec:
  devices:
    requests:
    - name: gpus
      exactly: {deviceClassName: gpu, count: 8}
    config: [*meta, {<<: *meta}]
  text: |-
    {{ text }}
---
{"kind": "List", "items": [{"a": 1e3}, null, true, "\\u0041"]}
`);

/** Reads the bytes as a file of either kind and asks for a position in everything that came out. */
function read(bytes: Buffer, name: string): void {
  const collector = new DocumentCollector();
  collector.addFile({ path: name, isStream: true, isGiven: true }, bytes);
  const { manifests, findings } = collector.result();
  for (const { value, source } of manifests) {
    const { line, column } = source.locate?.(['spec', 'devices', 'requests', 0, Object.keys(value)[0] ?? '']) ?? { line: 0, column: 0 };
    expect(Math.min(line, column)).toBeGreaterThanOrEqual(1);
  }
  for (const { line, column } of findings) expect(Math.min(line ?? 1, column ?? 1)).toBeGreaterThanOrEqual(1);
}

const NAMES = fc.constantFrom('a.yaml', 'a.json', '-');

test('random bytes never crash the reader', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), NAMES, (bytes, name) => read(Buffer.from(bytes), name)), { numRuns: 1000 });
});

test('random YAML punctuation never crashes the reader', () => {
  const tokens = fc.constantFrom('a', ' ', '  ', '\n', '\r\n', '\t', ':', ': ', '- ', '? ', '[', ']', '{', '}', ',', '&a ', '*a', '!!str ', '!x ', '|', '>-', '"', "'", '#', ' #', '---\n', '...\n', '<<: ', '%', '@', '1', '0x', '\u0000', '\ufeff', 'ä', '\ud800', 'kind: A\n', '{"kind": 1}');
  fc.assert(fc.property(fc.array(tokens, { maxLength: 40 }), NAMES, (parts, name) => read(Buffer.from(parts.join('')), name)), { numRuns: 2000 });
});

test('manifests with cut, doubled and changed parts never crash the reader', () => {
  const place = fc.nat(SEED.length);
  const change = fc.record({ at: place, drop: fc.nat(20), insert: fc.uint8Array({ maxLength: 4 }), copyFrom: place, copy: fc.nat(30) });
  fc.assert(fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), NAMES, (changes, name) => {
    let bytes = SEED;
    for (const { at, drop, insert, copyFrom, copy } of changes) {
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(insert), SEED.subarray(copyFrom, copyFrom + copy), bytes.subarray(at + drop)]);
    }
    read(bytes, name);
  }), { numRuns: 2000 });
});
