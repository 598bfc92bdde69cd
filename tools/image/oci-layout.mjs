import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { run } from './run.mjs';

/**
 * Writes an image as an OCI image layout, which registries' tools copy and `ctr images import` takes as a tar.
 *
 * @param {string} folder
 * @param {{ name: string, layers: Buffer[], config: object, history: string[], created: string, annotations: object, node: string }} image
 * `layers`: tars; `node`: the Node.js that compresses them, pinned too, since another version of zlib gives other bytes
 */
export function writeLayout(folder, { name, layers, config, history, created, annotations, node }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'blobs', 'sha256'), { recursive: true });
  const blob = (mediaType, bytes) => {
    const hex = sha256(bytes);
    writeFileSync(join(folder, 'blobs', 'sha256', hex), bytes);
    return { mediaType, digest: `sha256:${hex}`, size: bytes.length };
  };
  const json = value => Buffer.from(JSON.stringify(value));
  const blobs = layers.map(layer => blob('application/vnd.oci.image.layer.v1.tar+gzip', compressed(layer, node)));
  const configBlob = blob('application/vnd.oci.image.config.v1+json', json({
    created,
    architecture: 'amd64',
    os: 'linux',
    config,
    rootfs: { type: 'layers', diff_ids: layers.map(layer => `sha256:${sha256(layer)}`) },
    history: history.map(created_by => ({ created, created_by })),
  }));
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = blob(mediaType, json({ schemaVersion: 2, mediaType, config: configBlob, layers: blobs, annotations }));
  writeFileSync(join(folder, 'index.json'), json({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [{ ...manifest, platform: { architecture: 'amd64', os: 'linux' }, annotations: { 'org.opencontainers.image.ref.name': name, 'io.containerd.image.name': name } }],
  }));
  writeFileSync(join(folder, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }));
  return { digest: manifest.digest, size: blobs.reduce((sum, { size }) => sum + size, 0) };
}

function compressed(layer, node) {
  const program = "process.stdout.write(require('zlib').gzipSync(require('fs').readFileSync(0), { level: 9 }))";
  return run(node, ['-e', program], { input: layer, wayOut: 'The image is for linux/amd64 and is built there.' });
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
