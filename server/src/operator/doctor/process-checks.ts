import { pathsOf } from '../../config.ts';
import { holderOf } from '../../lib/file-lock.ts';
import { identify, isAlive } from '../../lib/process-identity.ts';
import { settingsPrefix } from '../../lib/settings-prefix.ts';
import { fail, ok, warn, type CheckedHost, type CheckFamily, type Finding } from './check.ts';
import { readRoles } from './read-roles.ts';

export const processChecks: CheckFamily = {
  title: 'Processes',
  checks: [
    { id: 'processes.supervisor', title: 'Supervisor', needsHome: () => true, look: lookAtSupervisor },
    { id: 'processes.roles', title: 'Roles', needsHome: () => true, look: lookAtRoles },
  ],
};

export function lookAtSupervisor({ config }: CheckedHost): Finding {
  const holder = holderOf(pathsOf(config).supervisorLock);
  return holder && isAlive(holder)
    ? ok(`runs (process ${holder.pid})`)
    : warn('does not run', `Start the platform: ${settingsPrefix(config)}npm start`);
}

export function lookAtRoles(host: CheckedHost): Finding {
  if (lookAtSupervisor(host).status !== 'ok') return ok('none, as the supervisor does not run');
  // The supervisor and the store have checks of their own.
  const { supervisor: _, store: __, ...roles } = readRoles(pathsOf(host.config).roles);
  const processes = Object.entries(roles);
  const dead = processes.filter(([, pids]) => pids.length === 0 || pids.some((pid) => identify(pid) === null));
  const found = processes.map(([role, pids]) => `${role} (${pids.join(', ') || 'none'})`).join(', ') || 'none';
  return dead.length === 0
    ? ok(found)
    : fail(
        `${found}; not running: ${dead.map(([role]) => role).join(', ')}`,
        'The supervisor brings them back. If this stays, look at their log.',
      );
}
