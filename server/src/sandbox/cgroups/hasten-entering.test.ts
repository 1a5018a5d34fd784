import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCgroupFolders, ownGroupFolder } from './find-folders.ts';
import { hastenEntering } from './hasten-entering.ts';

const groups = () => readFileSync('/proc/self/cgroup', 'utf8');
const isOpen = () => process.getActiveResourcesInfo().includes('FSReqCallback');

/** Where a machine has no control groups, there is nothing to hasten. */
describe.skipIf(findCgroupFolders().length === 0)('entering the group that a process is in already', () => {
  it('is done with the group that has it as a member', () => {
    const members = readFileSync(join(ownGroupFolder()!, 'cgroup.procs'), 'utf8').split('\n');
    expect(members).toContain(String(process.pid));
  });

  it('changes nothing', async () => {
    const before = groups();
    hastenEntering();
    expect(isOpen()).toBe(true);
    while (isOpen()) await new Promise(setImmediate);
    expect(groups()).toBe(before);
  });
});
