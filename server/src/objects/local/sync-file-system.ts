import { readFileSync } from 'node:fs';
import { run } from '../../lib/exec.ts';

/** What others have written is waited for as well; so much is written in less time than many files one by one. */
const MOST_UNWRITTEN_KIB = 64 * 1024;
/** Who cannot write that much in this time may as well take the files one by one. */
const PATIENCE_MS = 30_000;

/**
 * Brings all that was written to the file system of a folder to the disk, at once. False, and nothing is known to be
 * there, where much else waits to be written or where there is no program that does it.
 */
export async function syncFileSystem(folder: string, mostUnwrittenKib = MOST_UNWRITTEN_KIB): Promise<boolean> {
  if (unwrittenKib() > mostUnwrittenKib) return false;
  try {
    const { exitCode } = await run(['sync', '-f', folder], { env: { PATH: '/usr/bin:/bin' }, timeoutMs: PATIENCE_MS });
    return exitCode === 0;
  } catch {
    return false;
  }
}

/** Of the whole machine; infinite where nobody tells. */
function unwrittenKib(): number {
  try {
    const told = readFileSync('/proc/meminfo', 'utf8');
    const [dirty, writeback] = ['Dirty', 'Writeback'].map((name) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(told)?.[1] ?? Infinity),
    );
    return dirty! + writeback!;
  } catch {
    return Infinity;
  }
}
