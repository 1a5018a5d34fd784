import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../lib/exec.ts';
import { removeTree } from '../../lib/remove-tree.ts';
import { EngineRefused } from '../engine.ts';
import type { ServerPlace } from '../host/server-host.ts';
import { writeMark } from './whole-mark.ts';

const OPTIONS = { env: { PATH: '/usr/bin:/bin' }, timeoutMs: 600_000 };

export async function clearHome({ home }: ServerPlace): Promise<void> {
  for (const name of readdirSync(home)) await removeTree(join(home, name));
}

/** A server without a database, out of the template. */
export async function copyTemplate(place: ServerPlace, template: string): Promise<void> {
  await clearHome(place);
  const { exitCode, stderr } = await run(
    ['cp', '--recursive', '--preserve=mode,timestamps', '--', `${template}/.`, place.home],
    OPTIONS,
  );
  if (exitCode !== 0) throw new EngineRefused(`The files of the server cannot be made: ${stderr.slice(-500)}`);
}

/** Hands everything over, waits until it is on the disk, and only then says that it is whole. */
export async function finishFiles(place: ServerPlace, version: string): Promise<void> {
  place.own(place.home);
  await syncFiles(place.home);
  place.own(writeMark(place.home, { version }));
  await syncFiles(place.home);
}

async function syncFiles(folder: string): Promise<void> {
  const { exitCode, stderr } = await run(['sync', '--file-system', folder], OPTIONS);
  if (exitCode !== 0) throw new Error(`sync: ${stderr.slice(-500)}`);
}
