import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FakeApiServer } from '../../kube/fake-api-server.js';
import { run } from '../recorded-io.js';
import type { Recorded } from '../recorded-io.js';

/** An API server of the tests with a kubeconfig for the commands. */
export interface Live {
  readonly server: FakeApiServer;
  readonly folder: string;
  run(...args: readonly string[]): Promise<Recorded>;
  file(name: string, text: string): string;
  stop(): Promise<void>;
}

export async function live(): Promise<Live> {
  const server = await FakeApiServer.start();
  const folder = mkdtempSync(join(tmpdir(), 'migration-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, `apiVersion: v1
kind: Config
current-context: test
contexts: [{ name: test, context: { cluster: test, user: jane } }]
clusters: [{ name: test, cluster: { server: '${server.connection.server}' } }]
users: [{ name: jane, user: { token: secret } }]
`);
  return {
    server,
    folder,
    run: (...args) => run([...args, '--kubeconfig', kubeconfig], { workingDirectory: folder }),
    file: (name, text) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    },
    stop: async () => {
      rmSync(folder, { recursive: true });
      await server.stop();
    },
  };
}
