import { FakeApiServer } from './fake-api-server.js';
import { KubeClient } from '../../src/kube/kube-client.js';

/** Starts a fake API server before each test of a file and ends it afterwards. */
export function serverPerTest(started: (server: FakeApiServer, client: KubeClient) => void): void {
  let server: FakeApiServer;
  let client: KubeClient;

  beforeEach(async () => {
    server = await FakeApiServer.start();
    client = KubeClient.of(server.connection);
    started(server, client);
  });

  afterEach(async () => {
    await client.close();
    await server.stop();
  });
}
