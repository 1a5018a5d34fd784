import { lstat } from 'node:fs/promises';
import { run } from './exec.ts';

const OPTIONS = { env: { PATH: '/usr/bin:/bin' }, timeoutMs: 3_600_000 };

/**
 * Removes a folder, whatever a build or a mount made of it. Harmless when there is none. By `rm`, which goes
 * from folder to folder: a path may be longer than the kernel takes at once. It also is faster than Node's own.
 */
export async function removeTree(path: string): Promise<void> {
  if (!(await isThere(path))) return;
  await run(['rm', '-rf', '--one-file-system', '--', path], OPTIONS);
  if (await isThere(path)) await removeShut(path);
}

/** A build may shut its own folders to itself, and so does the kernel with the work folder of an overlay. */
async function removeShut(path: string): Promise<void> {
  await run(['chmod', '-R', 'u+rwX', '--', path], OPTIONS);
  const { stderr } = await run(['rm', '-rf', '--one-file-system', '--', path], OPTIONS);
  if (await isThere(path)) throw new Error(`${path} cannot be removed: ${stderr.slice(0, 500)}`);
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}
