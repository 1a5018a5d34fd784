import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { start } from '../../server/src/lib/exec.ts';
import { isAlive, type ProcessIdentity } from '../../server/src/lib/process-identity.ts';

const program = join(import.meta.dirname, 'testing', 'endless-benchmark.ts');

interface Started {
  folders: string[];
  processes: ProcessIdentity[];
}

it.each(['SIGINT', 'SIGTERM'] as const)('%s to a benchmark leaves nothing of it', async (signal) => {
  const child = start([process.execPath, program], { env: process.env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const [{ folders, processes }] = (await once(child, 'message')) as [Started];
  expect(folders.filter((folder) => existsSync(folder))).toHaveLength(2);
  expect(processes.filter(isAlive)).toHaveLength(3);

  child.kill(signal);
  const [exitCode] = (await once(child, 'exit')) as [number];

  expect(exitCode).toBe(signal === 'SIGINT' ? 130 : 143);
  expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
  expect(processes.filter(isAlive)).toEqual([]);
});
