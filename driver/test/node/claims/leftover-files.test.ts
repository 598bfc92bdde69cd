import type { FileSystem } from '../../../src/node/claims/record/file-system.js';
import { LeftoverFiles } from '../../../src/node/claims/record/leftover-files.js';

test('a disk that stays read-only for days makes neither memory nor the work of a sweep grow', async () => {
  let removals = 0;
  const files = { remove: async () => { removals++; throw Object.assign(new Error('EROFS'), { code: 'EROFS' }); } } as unknown as FileSystem;
  const leftovers = new LeftoverFiles(files);
  for (let count = 0; count < 10_000; count++) await leftovers.discard(`/data/claims/.x.${count}.tmp`);
  removals = 0;

  await leftovers.sweep();

  expect(removals).toBeLessThanOrEqual(1024);
});
