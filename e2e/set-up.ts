import { join } from 'node:path';
import { run } from '../server/src/lib/exec.ts';

const root = join(import.meta.dirname, '..');

/** What `npm start` does first; afterwards there is nothing left to do. Compiled code is kept in the given folder. */
export async function setUp(compiled: string): Promise<void> {
  const program = `import('./scripts/setup.mjs').then(({ setUp }) => setUp())`;
  const { exitCode, stderr } = await run([process.execPath, '--eval', program], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiled },
    cwd: root,
    timeoutMs: 600_000,
  });
  if (exitCode !== 0) throw new Error(`The set-up ended with ${exitCode}: ${stderr}`);
}
