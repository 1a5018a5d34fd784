import { lstat, rm } from 'node:fs/promises';
import { run } from './exec.ts';

const TIMEOUT_MS = 3_600_000;

/** Removes a folder, whatever a build or a mount made of it, however deep. Harmless when there is none. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    await removeStubborn(path);
  }
}

/**
 * A path may be longer than the kernel takes at once, where only `rm` gets by, which goes from folder to
 * folder. And a build may shut its own folders to itself, as the kernel does with the work folder of an overlay.
 */
async function removeStubborn(path: string): Promise<void> {
  const options = { env: { PATH: '/usr/bin:/bin' }, timeoutMs: TIMEOUT_MS };
  await run(['chmod', '-R', 'u+rwX', '--', path], options);
  const { stderr } = await run(['rm', '-rf', '--one-file-system', '--', path], options);
  if (await isThere(path)) throw new Error(`${path} cannot be removed: ${stderr.slice(0, 500)}`);
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}
