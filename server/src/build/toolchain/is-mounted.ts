import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Whether any sandbox has the folder of a tool in view: an instance may run for months without being started anew. */
export async function isMounted(path: string): Promise<boolean> {
  // Told from the root of its file system, wherever that is mounted here.
  const end = join('/', basename(dirname(dirname(path))), basename(dirname(path)), basename(path));
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const mounts = await readFile(`/proc/${name}/mountinfo`, 'utf8').catch(() => '');
    if (mounts.split('\n').some((line) => line.split(' ')[3]?.endsWith(end))) return true;
  }
  return false;
}
