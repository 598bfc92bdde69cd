// What no prepare can do without, done by nobody's driver.
import { closeSync, fdatasync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onNode } from './sides.mjs';

const toDisk = promisify(fdatasync);
/** About as long as a record. */
const LINE = 600;

/**
 * The claims are read from the API server, all of them get one durable line in a file that has room for it, and each gets two small files, its record and its CDI
 * file, that appear under their names at once: milliseconds for `width` claims, again and again. Nothing is judged or checked, and nobody is asked by kubelet.
 */
export function leastTimes(api, width, { count, pause }) {
  return onNode(api, 'ours', {}, undefined, async ({ node }) => {
    const agent = new Agent({ keepAlive: true });
    const journal = join(node.root, 'journal');
    const rounds = Math.ceil(count / width);
    writeFileSync(journal, '\n'.repeat(rounds * width * LINE), { flush: true });
    const times = [];
    for (let round = 0; round < rounds; round++) {
      await sleep(pause);
      const start = performance.now();
      await Promise.all(Array.from({ length: width }, (_, device) => read(agent, `${api.url}/apis/resource.k8s.io/v1/namespaces/bench/resourceclaims/claim-${device}-${round}`)));
      await line(journal, round * width * LINE, 'x'.repeat(width * LINE - 1));
      for (let device = 0; device < width; device++) for (const kind of ['record', 'cdi']) appear(join(node.root, `${kind}-${device}`), 'x'.repeat(LINE));
      times.push(performance.now() - start);
    }
    agent.destroy();
    return times;
  });
}

function read(agent, url) {
  return new Promise((resolve, reject) => {
    get(url, { agent }, response => {
      let text = '';
      response.setEncoding('utf8').on('data', part => (text += part)).on('end', () => resolve(JSON.parse(text)));
    }).on('error', reject);
  });
}

async function line(path, at, content) {
  const file = openSync(path, 'r+');
  try {
    writeSync(file, Buffer.from(content), 0, content.length, at);
    await toDisk(file);
  } finally {
    closeSync(file);
  }
}

function appear(path, content) {
  writeFileSync(`${path}.tmp`, content);
  renameSync(`${path}.tmp`, path);
}
