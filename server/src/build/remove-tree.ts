import { rm } from 'node:fs/promises';
import { run } from '../lib/exec.ts';

/** Removes a folder, whatever a build made of it. Harmless when there is none. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // A build may shut its own folders to itself.
    const options = { env: { PATH: '/usr/bin:/bin' }, timeoutMs: 120_000 };
    await run(['chmod', '-R', 'u+rwX', '--', path], options);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}
