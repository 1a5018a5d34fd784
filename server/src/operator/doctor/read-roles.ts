import { readFileSync } from 'node:fs';
import { pathsOf, type Config } from '../../config.ts';
import { identify } from '../../lib/process-identity.ts';

/** Written by the supervisor: the processes of each role. */
export function readRoles(path: string): Record<string, number[]> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, number[]>;
  } catch {
    return {};
  }
}

/** The platform runs on this host, and this role does not. */
export function runsElsewhere(config: Pick<Config, 'home'>, role: 'api' | 'worker' | 'edge'): boolean {
  const roles = readRoles(pathsOf(config).roles);
  return (roles['supervisor'] ?? []).some((pid) => identify(pid) !== null) && !(role in roles);
}
