import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import type { FpgaImageSettings, FpgaSettings } from 'cdk8s-dra/model';

import type { HostRoot } from '../host/host-root.js';
import { NodeFailure } from '../node-failure.js';

// eslint-disable-next-line no-bitwise -- Flags are bits.
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW;

/** The largest known images have some 200 MiB. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** A file of an image that was found to be what the settings say. */
export interface ImageFile {
  /** On this machine, for a program that reads it. */
  readonly path: string;
  /** Below /lib/firmware, for the kernel. */
  readonly firmwareName: string;
}

/**
 * Finds the file of an image in the folder of images and compares its checksum, each time anew.
 *
 * The name comes from the settings, and what it leads to must be a plain file: no link, so that nothing outside the folder is ever loaded.
 */
export async function imageFile(root: HostRoot, { folder }: NonNullable<FpgaSettings['images']>, image: FpgaImageSettings, device: string): Promise<ImageFile> {
  const shown = `${folder}/${image.file}`;
  const refuse = (why: string, cause?: unknown): NodeFailure => new NodeFailure(
    'DRA357', 'retryable', `The image ${image.id} is not loaded into ${device}: ${shown} ${why}.`, { devices: [device], ...(cause !== undefined && { cause }) },
  );
  let path: string;
  try {
    path = `${await root.resolve(folder)}/${image.file}`;
    const found = await lstat(path);
    if (!found.isFile()) throw refuse('is no plain file');
    if (found.size > MAX_BYTES) throw refuse(`has more than ${MAX_BYTES} bytes`);
  } catch (error) {
    throw error instanceof NodeFailure ? error : refuse('is not there', error);
  }
  const sum = await checksum(path).catch((error: unknown) => { throw refuse('cannot be read', error); });
  if (sum !== image.sha256) throw refuse(`has the checksum ${sum}, the settings say ${image.sha256}`);
  return { path, firmwareName: shown.replace(/^\/lib\/firmware\//, '') };
}

async function checksum(path: string): Promise<string> {
  const file = await open(path, FLAGS);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { fd: file, autoClose: true, highWaterMark: 1024 * 1024 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
