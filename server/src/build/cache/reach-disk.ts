import { run } from '../../lib/exec.ts';

const OPTIONS = { env: { PATH: '/usr/bin:/bin' }, timeoutMs: 300_000 };

/** Everything on the file system of a folder is on the disk, should the machine lose its power. */
export async function reachDisk(folder: string): Promise<void> {
  const { exitCode, stderr } = await run(['sync', '--file-system', '--', folder], OPTIONS);
  if (exitCode !== 0) throw new Error(`the files of ${folder} do not reach the disk: ${stderr.slice(0, 500)}`);
}
