import { once } from 'node:events';
import { join } from 'node:path';
import { start, type ChildProcess } from '../../../lib/exec.ts';

/** A platform to be killed: see `killed-host.ts`. */
export function startPlatform(...words: string[]): ChildProcess & { firstLine: Promise<unknown> } {
  const argv = [process.execPath, join(import.meta.dirname, 'killed-host.ts'), ...words] as const;
  const child = start(argv, { env: { PATH: '/usr/bin:/bin' }, stdio: ['ignore', 'pipe', 'inherit'] });
  return Object.assign(child, { firstLine: once(child.stdout!, 'data') });
}

export async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
