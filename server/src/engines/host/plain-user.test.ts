import { chownSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { run } from '../../lib/exec.ts';
import { makeHome } from './testing/host-bench.ts';

/** Of nobody on this machine. */
const PLAIN_UID = 59_999;

it('as a plain user everything works with folders, and what is lacking is told', async () => {
  const home = makeHome();
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(home, PLAIN_UID, PLAIN_UID);
  const argv = [process.execPath, join(import.meta.dirname, 'testing', 'plain-user.ts'), home] as const;
  const user = isRoot ? { uid: PLAIN_UID, gid: PLAIN_UID } : {};
  const { stdout, stderr } = await run(argv, { env: { PATH: '/usr/bin:/bin' }, ...user });
  expect(stderr).toBe('');
  const told = JSON.parse(stdout) as { lacking: string[] };
  expect(told).toMatchObject({
    uid: null,
    isRunning: true,
    isRunningAfter: false,
    said: 'up\nNoNewPrivs:\t1',
    space: { hardBytes: null, promisedBytes: 1024 ** 3 },
    grown: { hardBytes: null, promisedBytes: 2 * 1024 ** 3 },
    memory: true,
    exits: ['dbs_1'],
    left: [],
  });
  expect(told.lacking.join('\n')).toMatch(/as the user of the platform[\s\S]*only root can mount volumes/);
});
