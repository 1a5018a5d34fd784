import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { run } from '../lib/exec.ts';
import { eventually } from '../testing/eventually.ts';
import { forgetReady, recordReady } from './ready-file.ts';
import { writeRolesFile } from './roles-file.ts';

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'lilac-ready-'))));
afterEach(() => rmSync(home, { recursive: true }));

const program = join(import.meta.dirname, '../../../deploy/image/health.mjs');

it('a container is well when its worker has begun to work, not when it lives, and stays so while it is started again', async () => {
  const config = { home };
  const file = join(home, 'run', 'roles.json');
  mkdirSync(join(home, 'run'));
  const say = async () => {
    const { exitCode, stderr } = await run([process.execPath, program], { env: { LILAC_HOME: home } });
    return exitCode === 0 ? 'well' : stderr.trim();
  };
  const [worker, api] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  writeRolesFile(file, { supervisor: [process.pid], store: [], api: [process.pid], worker: [process.pid] });
  forgetReady(config);
  const recorded = recordReady(config, [
    { role: 'api', firstReady: api.promise },
    { role: 'worker', firstReady: worker.promise },
  ]);
  expect(await say()).toBe('The worker has not begun to work yet.');
  worker.resolve();
  await eventually('its worker has begun', async () => (await say()) === 'well');
  api.resolve();
  await recorded;
  expect(await say()).toBe('well');
  writeRolesFile(file, { supervisor: [process.pid], store: [], api: [process.pid], worker: [] });
  expect(await say()).toBe('The worker does not run.');
  forgetReady(config);
  writeRolesFile(file, { supervisor: [process.pid], store: [], api: [process.pid], worker: [process.pid] });
  expect(await say()).toBe('The worker has not begun to work yet.');
});
