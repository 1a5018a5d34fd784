import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { detectIsolation } from '../../sandbox/detect-isolation.ts';
import { FIRST_UID, UID_COUNT } from '../../sandbox/uids.ts';
import { ok, warn, type CheckedHost, type CheckFamily, type Finding } from './check.ts';

export const sandboxChecks: CheckFamily = {
  title: 'Builds',
  checks: [
    { id: 'builds.isolation', title: 'Isolation', needsHome: () => true, look: lookAtIsolation },
    { id: 'builds.overlay', title: 'Overlay mounts', needsHome: () => true, look: lookAtOverlay },
    { id: 'builds.users', title: 'Users of builds', look: lookAtUsers },
  ],
};

/** Before the first start there is no home to try in, and looking must not make one. */
const detect = ({ config, environment }: CheckedHost) =>
  detectIsolation({ folder: existsSync(config.home) ? config.home : tmpdir(), path: environment.PATH });

export async function lookAtIsolation(host: CheckedHost): Promise<Finding> {
  const { bubblewrap, isRoot, lacking } = await detect(host);
  if (!bubblewrap && !isRoot) {
    return warn(
      'nothing can be built: bubblewrap does not work, and builds must not run as the user that holds the keys',
      'apt-get install bubblewrap, and allow user namespaces (see below).',
    );
  }
  if (lacking.length > 0)
    return warn(lacking.join(' '), 'Install bubblewrap, and run Lilac as root or with Delegate=yes.');
  return ok(isRoot ? 'bubblewrap, a user of their own, and limits' : 'bubblewrap and limits');
}

async function lookAtOverlay(host: CheckedHost): Promise<Finding> {
  const { canOverlay, isRoot } = await detect(host);
  if (canOverlay) return ok('installed packages are laid over, not copied');
  const instead = isRoot ? 'linked' : 'copied';
  return warn(
    `not possible in ${host.config.home}: installed packages are ${instead} into every build, which takes longer`,
    'Put LILAC_HOME on a file system that overlayfs can write to, such as ext4 or xfs.',
  );
}

function lookAtUsers(): Finding {
  if (process.getuid?.() !== 0) return ok('builds run as this user, in a user namespace');
  return judgeUsers(readFileSync('/etc/passwd', 'utf8'), readFileSync('/proc/self/uid_map', 'utf8'));
}

/** Nobody else should have these uids, and a container must have them at all. */
export function judgeUsers(passwd: string, uidMap: string): Finding {
  const last = FIRST_UID + UID_COUNT - 1;
  const range = `uids ${FIRST_UID} to ${last}`;
  const mapped = uidMap
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  if (!mapped.some(([from = 0, , count = 0]) => from <= FIRST_UID && from + count > last)) {
    return warn(`${range} do not exist in this container`, 'Give the container at least 65,536 user ids.');
  }
  const taken = passwd.split('\n').flatMap((line) => {
    const [name, , uid] = line.split(':');
    return name && Number(uid) >= FIRST_UID && Number(uid) <= last ? [name] : [];
  });
  if (taken.length === 0) return ok(range);
  return warn(`${range}, some of which are taken: ${taken.join(', ')}`, 'Give these accounts other uids.');
}
