import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Tar options that make the same files the same bytes. */
const SAME_BYTES = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0', '--format=ustar'];

/**
 * Writes a container image of one layer as an OCI layout in a tar file, as `ctr images import` takes it.
 *
 * @param {string} file
 * @param {{ name: string, files: Record<string, string>, links?: Record<string, string>, entrypoint: string[] }} image
 * `files`: path in the image → file here, all executable; `links`: path in the image → target
 */
export function writeImage(file, { name, files, links = {}, entrypoint }) {
  const folder = mkdtempSync(`${file}.`);
  try {
    const root = join(folder, 'root');
    const place = path => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      return join(root, path);
    };
    for (const [path, source] of Object.entries(files)) {
      copyFileSync(source, place(path));
      chmodSync(join(root, path), 0o755);
    }
    for (const [path, target] of Object.entries(links)) symlinkSync(target, place(path));
    for (const path of ['dev', 'etc', 'proc', 'sys', 'tmp', 'run', 'var']) mkdirSync(join(root, path), { recursive: true });
    const layer = execFileSync('tar', [...SAME_BYTES, '-C', root, '-cf', '-', '.'], { maxBuffer: 1 << 30 });

    const layout = join(folder, 'layout');
    mkdirSync(join(layout, 'blobs', 'sha256'), { recursive: true });
    const blob = (mediaType, bytes) => {
      const hex = createHash('sha256').update(bytes).digest('hex');
      writeFileSync(join(layout, 'blobs', 'sha256', hex), bytes);
      return { mediaType, digest: `sha256:${hex}`, size: bytes.length };
    };
    const json = value => Buffer.from(JSON.stringify(value));
    const layerBlob = blob('application/vnd.oci.image.layer.v1.tar', layer);
    const config = blob(
      'application/vnd.oci.image.config.v1+json',
      json({
        architecture: process.arch === 'x64' ? 'amd64' : process.arch,
        os: 'linux',
        config: { Entrypoint: entrypoint, Env: ['PATH=/bin'] },
        rootfs: { type: 'layers', diff_ids: [layerBlob.digest] },
      }),
    );
    const manifestType = 'application/vnd.oci.image.manifest.v1+json';
    const manifest = blob(manifestType, json({ schemaVersion: 2, mediaType: manifestType, config, layers: [layerBlob] }));
    writeFileSync(
      join(layout, 'index.json'),
      json({ schemaVersion: 2, manifests: [{ ...manifest, annotations: { 'io.containerd.image.name': name } }] }),
    );
    writeFileSync(join(layout, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }));
    writeFileSync(file, execFileSync('tar', [...SAME_BYTES, '-C', layout, '-cf', '-', '.'], { maxBuffer: 1 << 30 }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
