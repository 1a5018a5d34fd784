import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installationId } from '../../server/src/runtime/network/names.ts';
import { findCgroupFolders } from '../../server/src/sandbox/cgroups/find-folders.ts';

export function canMakeGroups(): boolean {
  const can = findCgroupFolders().length > 0;
  if (!can) console.log('Skipped: control groups cannot be made here.');
  return can;
}

export interface TestGroup extends Disposable {
  path: string;
  add(pid: number): void;
}

/** A control group of an installation. */
export function makeGroup(home: string, name: string): TestGroup {
  const path = join(findCgroupFolders()[0]!.path, `lilac-${installationId(home)}-${name}`);
  mkdirSync(path);
  return {
    path,
    add: (pid) => writeFileSync(join(path, 'cgroup.procs'), String(pid)),
    [Symbol.dispose]: () => rmdirSync(path),
  };
}
