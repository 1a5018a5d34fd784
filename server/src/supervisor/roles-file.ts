import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { pathsOf, type Config } from '../config.ts';
import { endProcess, identify, waitForExit } from '../lib/process-identity.ts';
import { writeWhole } from '../lib/write-whole.ts';

/** Which processes run which role, for `lilac doctor`, for tests and for the supervisor that comes next. */
export type RolePids = Record<string, number[]>;

export function writeRolesFile(path: string, pids: RolePids): void {
  writeWhole(path, `${JSON.stringify(pids)}\n`, { mode: 0o600 });
}

function readRolesFile(path: string): RolePids {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RolePids;
  } catch {
    return {};
  }
}

export function removeRolesFile(path: string): void {
  rmSync(path, { force: true });
}

/**
 * Roles of a killed supervisor end by themselves, but finish what they are at first. They hold the
 * port and the socket until then, so the next supervisor waits for them, and not for ever.
 */
export async function awaitLeftRoles(config: Pick<Config, 'home'>, timeoutMs: number): Promise<void> {
  const { store: _store, supervisor: _supervisor, ...roles } = readRolesFile(pathsOf(config).roles);
  const left = Object.values(roles)
    .flat()
    .filter((pid) => isRoleOf(pid, config.home))
    .map((pid) => identify(pid))
    .filter((process) => process !== null);
  await Promise.all(
    left.map(async (process) => {
      if (await waitForExit(process, timeoutMs)) return;
      await endProcess(process, [{ signal: 'SIGKILL', waitMs: 1000 }]);
    }),
  );
  // A port is free a moment after its process is gone.
  if (left.length > 0) await delay(20);
}

/** A recorded pid may be somebody else's by now. */
function isRoleOf(pid: number, home: string): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return environment.includes(`LILAC_HOME=${home}`) && argv.includes('role');
  } catch {
    return false;
  }
}
