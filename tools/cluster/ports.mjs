import { createServer } from 'node:net';
import { Failure } from './failure.mjs';

/** That many ports that nobody listens on, all different. */
export async function freePorts(count, host = '127.0.0.1') {
  // All stay open until the last is found, or the kernel could hand out one twice.
  const servers = [];
  try {
    for (let index = 0; index < count; index++) servers.push(await listen(0, host));
    return servers.map(server => server.address().port);
  } finally {
    await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
  }
}

/** Refuses a port that somebody listens on. */
export async function requireFreePort(port, host = '127.0.0.1') {
  let server;
  try {
    server = await listen(port, host);
  } catch (error) {
    const reason = error.code === 'EACCES' ? 'needs root' : error.code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${error.code})`;
    throw new Failure(`Port ${port} of ${host} ${reason}. Leave --port out to get a free one, or name another.`);
  }
  await new Promise(resolve => server.close(resolve));
}

function listen(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}
