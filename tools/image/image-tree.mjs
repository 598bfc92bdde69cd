import { chmodSync, copyFileSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { run } from './run.mjs';

/** A tree of files that becomes one layer; the same files give the same bytes. */
export class ImageTree {
  constructor(root) {
    this.root = root;
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root, { recursive: true });
  }

  /** @param {string} path in the image @param {string} source here; links are followed */
  copy(path, source, mode = 0o644) {
    copyFileSync(realpathSync(source), this.#place(path));
    chmodSync(join(this.root, path), mode);
  }

  write(path, content, mode = 0o644) {
    writeFileSync(this.#place(path), content);
    chmodSync(join(this.root, path), mode);
  }

  link(path, target) {
    symlinkSync(target, this.#place(path));
  }

  folder(path, mode = 0o755) {
    mkdirSync(join(this.root, path), { recursive: true });
    chmodSync(join(this.root, path), mode);
  }

  has(path) {
    return existsSync(join(this.root, path));
  }

  /** @param {number} time seconds since 1970 of every file */
  tar(time) {
    const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${time}`, '--format=ustar'];
    return run('tar', [...same, '-C', this.root, '-cf', '-', '.'], { wayOut: 'GNU tar is needed.' });
  }

  #place(path) {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    return join(this.root, path);
  }
}
