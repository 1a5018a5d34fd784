import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { filesOf } from './place-files.ts';
import { runSystemProgram } from './system-program.ts';
import { RESERVE_BYTES } from './volume-size.ts';

export async function giveUpReserve(folder: string): Promise<void> {
  await rm(filesOf(folder).reserve, { force: true });
}

/** Where there is no room for it there is none, until somebody tries again. */
export async function keepReserve(folder: string): Promise<void> {
  const { reserve } = filesOf(folder);
  if (existsSync(reserve)) return;
  try {
    await runSystemProgram('fallocate', '--length', String(RESERVE_BYTES), reserve);
  } catch {
    await rm(reserve, { force: true });
  }
}
