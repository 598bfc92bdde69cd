// Programs of a node beside kubelet: containerd with its shim, CNI plugins, and two images. runc and busybox are Debian's.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheEntry, shortHash } from '../cache-entry.mjs';
import { BUILD_FLAGS, goVersion, runGo } from '../go.mjs';
import { SOURCES } from '../layout.mjs';
import { Progress } from '../progress.mjs';
import { systemProgram } from '../system-program.mjs';
import { writeImage } from './image.mjs';

const CONTAINERD = '2.4.2';
const CNI_PLUGINS = '1.10.0';

/** Snapshotters that need C headers or kernel parts which a test node does without. */
const CONTAINERD_TAGS = 'no_btrfs,no_devmapper,no_zfs';

/** Packages to install, each with the folder of this entry that its program goes to. */
const INSTALLS = [
  {
    folder: 'bin',
    tags: CONTAINERD_TAGS,
    packages: ['containerd', 'containerd-shim-runc-v2', 'ctr'].map(name => `github.com/containerd/containerd/v2/cmd/${name}@v${CONTAINERD}`),
    version: `github.com/containerd/containerd/v2/version.Version=${CONTAINERD}`,
  },
  { folder: 'cni', packages: ['main/ptp', 'ipam/host-local'].map(name => `github.com/containernetworking/plugins/plugins/${name}@v${CNI_PLUGINS}`) },
];

/** Images that each node has; pods use them with imagePullPolicy Never or IfNotPresent. */
export const IMAGES = { pause: 'localhost/pause:1', busybox: 'localhost/busybox:1' };

/** Folder with `bin`, `cni` and `images`, built when it is not yet. */
export function nodePrograms(cache, say) {
  const pause = join(SOURCES, 'pause', 'pause.go');
  const folder = join(cache, `node-${shortHash(goVersion('1.25'), JSON.stringify(INSTALLS), readFileSync(pause, 'utf8'))}`);
  return cacheEntry(folder, {
    say,
    probe: entry => {
      const { status, stdout, error } = spawnSync(join(entry, 'bin', 'containerd'), ['--version'], { encoding: 'utf8', timeout: 30_000 });
      return error === undefined && status === 0 && stdout.includes(CONTAINERD) ? undefined : 'containerd does not say its version';
    },
    fill: async entry => {
      say(`Building containerd ${CONTAINERD} and CNI plugins ${CNI_PLUGINS}: once, a few minutes.`);
      const progress = new Progress('containerd and CNI plugins', 1100);
      for (const { folder: name, tags, packages, version } of INSTALLS) {
        mkdirSync(join(entry, name), { recursive: true });
        const ldflags = ['-s', '-w', ...(version === undefined ? [] : ['-X', version])].join(' ');
        await runGo(
          entry,
          ['install', '-v', '-p', '2', ...BUILD_FLAGS, ...(tags === undefined ? [] : ['-tags', tags]), '-ldflags', ldflags, ...packages],
          {
            env: { GOBIN: join(entry, name) },
            onPackage: () => progress.step(),
          },
        );
      }
      await runGo(entry, ['build', ...BUILD_FLAGS, '-ldflags', '-s -w', '-o', join(entry, 'pause'), pause]);
      mkdirSync(join(entry, 'images'));
      writeImage(join(entry, 'images', 'pause.tar'), { name: IMAGES.pause, files: { pause: join(entry, 'pause') }, entrypoint: ['/pause'] });
      const busybox = systemProgram('busybox');
      const applets = execFileSync(busybox, ['--list'], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .filter(applet => applet !== 'busybox');
      writeImage(join(entry, 'images', 'busybox.tar'), {
        name: IMAGES.busybox,
        files: { 'bin/busybox': busybox },
        links: Object.fromEntries(applets.map(applet => [`bin/${applet}`, 'busybox'])),
        entrypoint: ['/bin/sh'],
      });
      progress.end();
    },
  });
}
