import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';

import { HostRoot } from '../../../src/devices/host/host-root.js';
import type { DeviceNumbers } from '../../../src/devices/host/host-root.js';

export type Entry =
  | { readonly kind: 'file'; readonly content: string | Buffer; readonly mode?: number }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder' };

/** What a PCI function shows beside the files that every one has. */
export interface PciFacts {
  readonly vendor: string;
  readonly device: string;
  readonly class: string;
  readonly driver?: string;
  readonly numaNode?: number;
  readonly iommuGroup?: number;
  /** More attributes, by name inside the function's folder. */
  readonly files?: { readonly [name: string]: string };
}

/**
 * The part of a host's file system that a backend looks at, described in a few lines and unpacked into a temporary folder.
 *
 * Device nodes are plain files with their numbers inside, since making real ones takes root; `TreeRoot` reads them so.
 */
export class Tree {
  public readonly entries = new Map<string, Entry>();

  public file(path: string, content: string | Buffer): this {
    this.entries.set(path, { kind: 'file', content: typeof content === 'string' ? `${content}\n` : content });
    return this;
  }

  public files(folder: string, files: { readonly [name: string]: string }): this {
    for (const [name, content] of Object.entries(files)) this.file(posix.join(folder, name), content);
    return this;
  }

  /** A link as sysfs has them: relative. */
  public link(path: string, target: string): this {
    this.entries.set(path, { kind: 'link', target: target.startsWith('/') ? posix.relative(posix.dirname(path), target) : target });
    return this;
  }

  public folder(path: string): this {
    this.entries.set(path, { kind: 'folder' });
    return this;
  }

  public node(path: string, numbers: string): this {
    return this.file(path, `${NODE} ${numbers}`);
  }

  /** A function below bridges: `pci0000:15/0000:15:01.0/0000:16:00.0` for the first two. Returns its folder. */
  public pci(address: string, parents: string, facts: PciFacts): string {
    const { vendor, device, class: classCode, driver, numaNode = -1, iommuGroup, files = {} } = facts;
    const folder = `/sys/devices/${parents}/${address}`;
    const config = Buffer.alloc(64);
    config.writeUInt16LE(parseInt(vendor, 16), 0);
    config.writeUInt16LE(parseInt(device, 16), 2);
    this.files(folder, { vendor: `0x${vendor}`, device: `0x${device}`, class: `0x${classCode}`, numa_node: String(numaNode), ...files });
    this.file(`${folder}/config`, config);
    this.file(`${folder}/aer_dev_fatal`, 'Undefined 0\nData Link Protocol 0\nSurprise Down Error 0\nTOTAL_ERR_FATAL 0');
    this.link(`/sys/bus/pci/devices/${address}`, folder);
    if (driver !== undefined) this.folder(`/sys/bus/pci/drivers/${driver}`).link(`${folder}/driver`, `/sys/bus/pci/drivers/${driver}`);
    if (iommuGroup !== undefined) this.folder(`/sys/kernel/iommu_groups/${iommuGroup}`).link(`${folder}/iommu_group`, `/sys/kernel/iommu_groups/${iommuGroup}`);
    return folder;
  }

  /** The same tree with some entries changed; undefined takes one away, with all below it. */
  public with(changes: { readonly [path: string]: string | Entry | undefined }): Tree {
    const tree = new Tree();
    for (const [path, entry] of this.entries) tree.entries.set(path, entry);
    for (const [path, change] of Object.entries(changes)) {
      if (change === undefined) for (const known of [...tree.entries.keys()]) if (known === path || known.startsWith(`${path}/`)) tree.entries.delete(known);
      if (typeof change === 'string') tree.file(path, change);
      else if (change !== undefined) tree.entries.set(path, change);
    }
    return tree;
  }

  /** Unpacks into a new folder. An entry that cannot be there beside another, as after a random change, is left out. */
  public unpack(): UnpackedTree {
    const folder = mkdtempSync(join(tmpdir(), 'host-'));
    for (const [path, entry] of this.entries) {
      const place = join(folder, path);
      try {
        mkdirSync(entry.kind === 'folder' ? place : dirname(place), { recursive: true });
        if (entry.kind === 'link') symlinkSync(entry.target, place);
        if (entry.kind === 'file') {
          writeFileSync(place, entry.content);
          if (entry.mode !== undefined) chmodSync(place, entry.mode);
        }
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? '';
        if (!['EEXIST', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENOENT', 'EACCES', 'ENAMETOOLONG'].includes(code)) throw error;
      }
    }
    return new UnpackedTree(folder);
  }
}

/** A tree on disk. */
export class UnpackedTree {
  public readonly root: TreeRoot;

  public constructor(public readonly folder: string) {
    this.root = new TreeRoot(folder);
  }

  public read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8').trim();
  }

  public write(path: string, content: string | Buffer): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), content);
  }

  public link(path: string, target: string): void {
    symlinkSync(target, join(this.folder, path));
  }

  public node(path: string, numbers: string): void {
    this.write(path, `${NODE} ${numbers}`);
  }

  public remove(path: string): void {
    rmSync(join(this.folder, path), { recursive: true, force: true });
  }
}

export class TreeRoot extends HostRoot {
  public override async deviceNode(path: string): Promise<DeviceNumbers | undefined> {
    const text = await this.read(path).then(String, () => '');
    const [, type, major, minor] = new RegExp(`^${NODE} ([bc]) (\\d+):(\\d+)\n?$`).exec(text) ?? [];
    return type === undefined ? undefined : { type: type as 'b' | 'c', major: Number(major), minor: Number(minor) };
  }
}

const NODE = 'device node';

const unpacked: string[] = [];

/** Unpacks and is removed after the test file. */
export function unpack(tree: Tree): UnpackedTree {
  const found = tree.unpack();
  unpacked.push(found.folder);
  return found;
}

export function removeTrees(): void {
  for (const folder of unpacked.splice(0)) rmSync(folder, { recursive: true, force: true });
}
