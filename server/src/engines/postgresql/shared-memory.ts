import { run } from '../../lib/exec.ts';
import { readIfThere } from '../../lib/read-if-there.ts';
import type { ServerPlace } from '../host/server-host.ts';
import { readMainProcessFile } from './main-process-file.ts';

/**
 * A server that was killed leaves a small segment of System V's shared memory behind, of which the machine has a few
 * thousand. The next start on the same files takes it away; where there is none to come, this does.
 */
export async function releaseSharedMemory({ home, uid }: ServerPlace): Promise<void> {
  const noted = readMainProcessFile(home)?.segment;
  if (!noted) return;
  const segments = parseSegments(readIfThere('/proc/sysvipc/shm') ?? '');
  const owner = uid ?? process.getuid?.();
  const left = segments.find(
    (each) => each.key === noted.key && each.id === noted.id && each.uid === owner && each.attached === 0,
  );
  if (left) await run(['ipcrm', '--shmem-id', String(left.id)], { env: { PATH: '/usr/bin:/bin' } });
}

export interface Segment {
  key: number;
  id: number;
  attached: number;
  uid: number;
}

export function parseSegments(table: string): Segment[] {
  const [header = '', ...lines] = table.split('\n');
  const names = header.trim().split(/\s+/);
  return lines.filter(Boolean).map((line) => {
    const values = line.trim().split(/\s+/).map(Number);
    const value = (name: string) => values[names.indexOf(name)] ?? Number.NaN;
    // Keys are shown with a sign, and noted without.
    return { key: value('key') >>> 0, id: value('shmid'), attached: value('nattch'), uid: value('uid') };
  });
}
