import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Whether any sandbox has the folder of a tool in view: an instance may run for months without being started anew. */
export async function isMounted(path: string): Promise<boolean> {
  return (await findMounted([path])).has(path);
}

/** Those that any sandbox has in view. */
export async function findMounted(paths: readonly string[]): Promise<Set<string>> {
  const pathOf = new Map(paths.map((path) => [endOf(path), path]));
  const mounted = new Set<string>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const mounts = await readFile(`/proc/${name}/mountinfo`, 'utf8').catch(() => '');
    for (const line of mounts.split('\n')) {
      const path = pathOf.get(endOf(line.split(' ')[3] ?? ''));
      if (path !== undefined) mounted.add(path);
    }
  }
  return mounted;
}

/** Told from the root of its file system, wherever that is mounted here. */
const endOf = (path: string): string =>
  join('/', basename(dirname(dirname(path))), basename(dirname(path)), basename(path));
