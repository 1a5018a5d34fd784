import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathsOf, type Config } from '../config.ts';
import type { RoleName } from './role-messages.ts';
import type { RoleProcess } from './role-process.ts';

/**
 * The roles of which every process has been ready since the supervisor began, for who asks whether this host would
 * work.
 */
export async function recordReady(
  config: Pick<Config, 'home'>,
  roles: readonly Pick<RoleProcess, 'role' | 'firstReady'>[],
): Promise<void> {
  const ready = new Set<RoleName>();
  await Promise.all(
    [...new Set(roles.map(({ role }) => role))].map(async (name) => {
      await Promise.all(roles.filter(({ role }) => role === name).map(({ firstReady }) => firstReady));
      ready.add(name);
      writeFileSync(readyFile(config), `${JSON.stringify([...ready])}\n`, { mode: 0o600 });
    }),
  );
}

/** What was ready before is another supervisor's. */
export function forgetReady(config: Pick<Config, 'home'>): void {
  rmSync(readyFile(config), { force: true });
}

const readyFile = (config: Pick<Config, 'home'>): string => join(dirname(pathsOf(config).roles), 'ready.json');
