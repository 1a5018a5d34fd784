import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/** A folder for one run, gone when the program ends, whichever way. */
export function scratchFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `lilac-bench-${name}-`));
  folders.push(folder);
  return folder;
}

process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, endInterrupted);

/**
 * Stores outlive whoever started them, and a platform has a home to remove. Another program puts all of it away while
 * this one stands still: else the measuring would go on, fail, and begin to clean up as well.
 */
function endInterrupted(signal: NodeJS.Signals): never {
  console.error(`${signal}: ending what was started …`);
  const program = join(import.meta.dirname, 'put-away.ts');
  // Apart from the terminal: whoever presses Ctrl-C twice would end it half-way.
  const apart = { detached: true, stdio: 'inherit' } as const;
  spawnSync(process.execPath, [program, String(process.pid), ...folders], apart);
  process.exit(128 + constants.signals[signal]);
}
