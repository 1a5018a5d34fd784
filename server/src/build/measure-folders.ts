import { run } from '../lib/exec.ts';

const MEASURE_MS = 600_000;
/** A file may go while it is looked at. Anything else leaves out what it is about, which may be everything. */
const HAS_GONE = /^du: cannot (?:access|read directory) .*: No such file or directory$/;

/** What folders take on the disk together, in bytes. Rejects where that cannot be said. */
export async function measureFolders(folders: readonly string[], signal: AbortSignal): Promise<number> {
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };
  const { stdout, stderr } = await run(['du', '-skc', '--', ...folders], { env, timeoutMs: MEASURE_MS, signal });
  const complaint = stderr.split('\n').find((line) => line !== '' && !HAS_GONE.test(line));
  if (complaint) throw new Error(complaint);
  const [, kibibytes] = /^(\d+)\ttotal$/m.exec(stdout) ?? [];
  if (kibibytes === undefined) throw new Error(`du did not end within ${MEASURE_MS / 60_000} minutes`);
  return Number(kibibytes) * 1024;
}
