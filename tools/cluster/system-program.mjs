import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** Path of a program of the system; undefined if there is none. */
export function systemProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin', '/usr/bin', '/bin'];
  return folders
    .map(folder => join(folder, name))
    .find(file => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
