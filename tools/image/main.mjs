/** Builds the image of the node agent: no daemon, no registry, the same bytes from the same commit. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { ImageError } from './image-error.mjs';
import { ImageTree } from './image-tree.mjs';
import { NODE_ARGUMENTS } from './node-arguments.mjs';
import { writeLayout } from './oci-layout.mjs';
import { pinnedLibraries } from './pinned-libraries.mjs';
import { pinnedNode } from './pinned-node.mjs';
import { run } from './run.mjs';
import { sbom } from './sbom.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const HELP = `Usage: npm run image -- [options]

Builds the image of the node agent for linux/amd64 into dist/image:

  index.json, oci-layout, blobs/   an OCI image layout, for skopeo, crane, oras and others
  node-agent.tar                   the same as one file, for ctr images import
  sbom.spdx.json                   what is in it

Options:
  --name NAME    name of the image (default: localhost/cdk8s-dra-node-agent:VERSION)
  --out DIR      another folder than dist/image
  --help

Node.js and Debian's libraries are pinned in tools/image/pins.json and kept in build/image.
Next: skopeo copy oci:dist/image docker://REGISTRY/NAME:TAG, and give that name to NodeAgent as image.
`;

/** Shared objects that Node.js is linked to or loads, from Debian's packages. */
const LIBRARIES = [
  'ld-linux-x86-64.so.2', 'libc.so.6', 'libdl.so.2', 'libgcc_s.so.1', 'libm.so.6', 'libnss_dns.so.2', 'libnss_files.so.2', 'libpthread.so.0',
  'libresolv.so.2', 'librt.so.1', 'libstdc++.so.6',
];
const LIBRARY_FOLDERS = ['lib/x86_64-linux-gnu', 'usr/lib/x86_64-linux-gnu', 'lib64', 'usr/lib64'];

function main() {
  const { values } = parseArgs({ options: { name: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help) return void process.stdout.write(HELP);
  const started = performance.now();
  const { version } = JSON.parse(readFileSync(join(ROOT, 'driver', 'package.json'), 'utf8'));
  const pins = JSON.parse(readFileSync(new URL('pins.json', import.meta.url), 'utf8'));
  const cache = join(ROOT, 'build', 'image');
  mkdirSync(cache, { recursive: true });
  const { commit, time } = lastCommit();
  const created = new Date(time * 1000).toISOString().replace('.000Z', 'Z');
  const bundle = agentBundle();

  step('Node.js and libraries');
  const node = pinnedNode(pins.node, cache);
  const runtime = runtimeTree(join(cache, 'runtime'), node, pinnedLibraries(pins.debian, cache), pins);
  step('agent and list of contents');
  const contents = `${JSON.stringify(sbom({ root: join(ROOT, 'driver'), version, created, inputs: bundle.inputs, pins, commit }), null, 2)}\n`;
  const agent = agentTree(join(cache, 'agent'), bundle.folder, contents);

  step('layers');
  const out = resolve(values.out ?? 'dist/image');
  const name = values.name ?? `localhost/cdk8s-dra-node-agent:${version}`;
  const { digest, size } = writeLayout(out, {
    name,
    created,
    node: node.binary,
    layers: [runtime.tar(time), agent.tar(time)],
    history: ['Node.js and C libraries', 'node agent'],
    config: {
      Entrypoint: ['/usr/local/bin/node', ...NODE_ARGUMENTS, '/opt/cdk8s-dra/node.js'],
      Env: ['NODE_ENV=production', 'PATH=/usr/local/bin'],
      WorkingDir: '/',
      Labels: { 'org.opencontainers.image.title': 'cdk8s-dra node agent', 'org.opencontainers.image.revision': commit, 'org.opencontainers.image.version': version },
    },
    annotations: { 'org.opencontainers.image.revision': commit, 'org.opencontainers.image.version': version, 'org.opencontainers.image.created': created },
  });
  const archive = join(out, 'node-agent.tar');
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${time}`, '--format=ustar', '--mode=go=rX,u+rw'];
  const tar = run('tar', [...same, '-C', out, '-cf', '-', 'blobs', 'index.json', 'oci-layout'], { wayOut: 'GNU tar is needed.' });
  writeFileSync(archive, tar);
  writeFileSync(join(out, 'sbom.spdx.json'), contents);
  process.stdout.write(`${name}\n  digest ${digest}\n  ${(size / 1048576).toFixed(1)} MiB compressed, in ${out} (${((performance.now() - started) / 1000).toFixed(0)} s)\n`
    + `Next: skopeo copy oci:${values.out ?? 'dist/image'} docker://REGISTRY/NAME:${version}\n`);
}

/** The bundle and the files that it was made from, as the build of the driver left them. */
function agentBundle() {
  const folder = join(ROOT, 'driver', 'lib');
  if (!existsSync(join(folder, 'node.cjs'))) throw new ImageError('driver/lib/node.cjs is not there. Run npm run compile first.');
  const inputs = JSON.parse(readFileSync(join(folder, 'node.inputs.json'), 'utf8'));
  return { folder, inputs };
}

function runtimeTree(folder, node, libraries, { debian }) {
  const tree = new ImageTree(folder);
  tree.copy('usr/local/bin/node', node.binary, 0o755);
  tree.copy('usr/share/doc/node/LICENSE', node.licence);
  for (const name of LIBRARIES) {
    const source = LIBRARY_FOLDERS.map(place => join(libraries, place, name)).find(file => existsSync(file));
    if (source === undefined) throw new ImageError(`Debian's packages have no ${name}. Add its package to tools/image/pins.json.`);
    tree.copy(`lib/x86_64-linux-gnu/${name}`, source, 0o755);
  }
  // The path of the loader stands in every program.
  tree.link('lib64/ld-linux-x86-64.so.2', '/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2');
  for (const name of Object.keys(debian.packages)) {
    const copyright = join(libraries, 'usr', 'share', 'doc', name, 'copyright');
    // Some packages share the documentation of another by a link out of the package.
    if (existsSync(copyright)) tree.copy(`usr/share/doc/${name}/copyright`, copyright);
  }
  tree.write('etc/passwd', 'root:x:0:0:root:/:/sbin/nologin\n');
  tree.write('etc/group', 'root:x:0:\n');
  tree.write('etc/nsswitch.conf', 'hosts: files dns\n');
  for (const path of ['dev', 'host', 'proc', 'run', 'sys', 'var']) tree.folder(path);
  tree.folder('tmp', 0o1777);
  return tree;
}

function agentTree(folder, bundle, contents) {
  const tree = new ImageTree(folder);
  // Without a package.json beside it the file is CommonJS, whatever its name.
  tree.copy('opt/cdk8s-dra/node.js', join(bundle, 'node.cjs'));
  tree.copy('opt/cdk8s-dra/LICENSE', join(ROOT, 'LICENSE'));
  tree.copy('usr/share/doc/cdk8s-dra/node.cjs.LEGAL.txt', join(bundle, 'node.cjs.LEGAL.txt'));
  tree.write('usr/share/doc/cdk8s-dra/sbom.spdx.json', contents);
  return tree;
}

/** Time and hash of the last commit: with them the same commit gives the same image. */
function lastCommit() {
  try {
    const [commit, time] = execFileSync('git', ['log', '-1', '--format=%H %ct'], { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim().split(' ');
    return { commit, time: Number(time) };
  } catch {
    return { commit: 'unknown', time: 0 };
  }
}

function step(what) {
  process.stderr.write(`image: ${what}\n`);
}

try {
  main();
} catch (error) {
  if (!(error instanceof ImageError) && error?.code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw error;
  process.stderr.write(`image: ${error.message}\n`);
  process.exitCode = error instanceof ImageError ? 1 : 2;
}
