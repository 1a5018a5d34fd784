import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gone at the end of the test. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'lilac-cli-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
