/** Program: reads the manifests below a folder with the `yaml` package, values and positions, and nothing else. */
import { createRequire } from 'node:module';
import { readFolder } from '../../../../tools/examples/run.mjs';

const { LineCounter, isMap, parseAllDocuments } = createRequire(import.meta.url)('yaml');

let [objects, lines] = [0, 0];
for (const text of readFolder(process.argv[2]).values()) {
  const lineCounter = new LineCounter();
  for (const document of parseAllDocuments(text, { lineCounter, version: '1.1' })) {
    // Nodes know their offsets from the parse; a line is looked up where a finding needs one, here once an object.
    if (!isMap(document.contents)) continue;
    lines += lineCounter.linePos(document.contents.range[0]).line;
    if (document.toJS().kind !== undefined) objects++;
  }
}
console.log(`${objects} objects, ${lines}`);
