import { rm } from 'node:fs/promises';
import { run } from './exec.ts';

/** Removes a folder, whatever a build or a mount made of it. Harmless when there is none. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (!['EACCES', 'EPERM', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // A build may shut its own folders to itself, and so does the kernel with the work folder of an overlay.
    const options = { env: { PATH: '/usr/bin:/bin' }, timeoutMs: 120_000 };
    await run(['chmod', '-R', 'u+rwX', '--', path], options);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}
