import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../lib/exec.ts';
import { PROGRAM_PATH } from '../../sandbox/launch.ts';
import { preludeArgv } from '../../sandbox/prelude.ts';
import { mountTable } from '../mount-table.ts';

export interface StageOptions {
  /** The instance's own folder on this machine. */
  folder: string;
  /** The tree it runs in, which stays as it is. */
  slug: string;
  uid: number;
  /** What it may write, in memory that counts as its own. */
  sizeBytes: number;
}

const stageOf = (folder: string): string => join(folder, 'stage');

/** Memory with the tree laid below it, so that an instance writes into its files as if they were its own. */
export async function mountStage({ folder, slug, uid, sizeBytes }: StageOptions): Promise<string> {
  const stage = stageOf(folder);
  const table = join(folder, 'mounts');
  mkdirSync(stage, { mode: 0o700 });
  writeFileSync(table, mountTable({ stage, slug, folders: [], isRoot: true, canOverlay: true }));
  const scratch = ['scratch', stage, `mode=755,nosuid,nodev,size=${sizeBytes}`];
  const steps = [...scratch, 'layers', stage, String(uid), 'table', table];
  await runMounting([...preludeArgv(), ...steps, '--', 'true']);
  return stage;
}

/**
 * Harmless where nothing is mounted. The engine may be about to let go of it: whoever still sees it keeps it so long.
 */
export async function unmountStage(folder: string): Promise<void> {
  const mounted = mountsBelow(stageOf(folder));
  if (mounted.length > 0) await runMounting(['umount', '--lazy', '--', ...mounted]);
}

/** The deepest first. */
export function mountsBelow(folder: string, mountinfo = readFileSync('/proc/self/mountinfo', 'utf8')): string[] {
  const points = mountinfo.split('\n').flatMap((line) => line.split(' ')[4] ?? []);
  return points
    .map((point) => point.replaceAll(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8))))
    .filter((point) => point === folder || point.startsWith(`${folder}/`))
    .toReversed();
}

async function runMounting(argv: readonly string[]): Promise<void> {
  const options = { env: { PATH: PROGRAM_PATH, LC_ALL: 'C' }, timeoutMs: 30_000 };
  const { exitCode, stderr } = await run(argv as [string, ...string[]], options);
  if (exitCode !== 0) throw new Error(`the files of an instance cannot be mounted: ${stderr.trim().slice(0, 500)}`);
}
