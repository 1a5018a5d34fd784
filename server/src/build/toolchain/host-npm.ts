import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram } from '../../lib/find-program.ts';

/** The npm of this machine: installs toolchains, and packages where it fits. */
export interface HostNpm {
  /** Where it is found, and what it really is. */
  command: string;
  program: string;
  version: string;
  /** Settings of the machine that npm below another prefix would not find. */
  settings: string | null;
}

export function findHostNpm(path: string | undefined): HostNpm | null {
  const program = findProgram(['npm'], path);
  if (!program) return null;
  try {
    const script = realpathSync(program);
    const manifest = JSON.parse(readFileSync(join(dirname(script), '..', 'package.json'), 'utf8')) as {
      version: string;
    };
    return { command: program, program: script, version: manifest.version, settings: findSettings(program) };
  } catch {
    return null;
  }
}

function findSettings(program: string): string | null {
  const candidates = [
    join(dirname(program), '..', 'etc', 'npmrc'),
    '/usr/local/etc/npmrc',
    '/usr/etc/npmrc',
    '/etc/npmrc',
  ];
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}
