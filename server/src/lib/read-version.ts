import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of the platform that runs: the sources and what is built of them lie equally deep in the package. */
export function readVersion(): string {
  const manifest = readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
