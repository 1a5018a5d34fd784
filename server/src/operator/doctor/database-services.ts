import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { pathsOf, type Config } from '../../config.ts';
import { detectAbilities, lendHome } from '../../engines/host/abilities.ts';
import { createServiceEngine } from '../../engines/services/service-engine.ts';
import { silentLog } from '../../lib/log.ts';
import { ok, warn, type CheckedHost, type Finding } from './check.ts';

/** Where something may be tried: the next start clears what is left of a look that was killed. */
export const folderToTryIn = (config: Pick<Config, 'home'>): string =>
  [pathsOf(config).databases, config.home].find((each) => existsSync(each)) ?? tmpdir();

/** Whether databases that are started here are services of the swarm. */
export async function lookAtServices({ config }: CheckedHost): Promise<Finding> {
  if (config.runtime.kind !== 'swarm') return ok('databases are processes of this machine');
  const folder = folderToTryIn(config);
  const { hasVolumes } = await detectAbilities({ folder, log: silentLog });
  const engine = createServiceEngine({
    socketPath: config.runtime.dockerSocket,
    root: () => folder,
    lendHome: (use) => lendHome(folder, hasVolumes, use),
  });
  const { lacking } = await engine.ground().catch((error: Error) => ({ lacking: error.message }));
  return judgeServices(lacking);
}

export function judgeServices(lacking: string | null): Finding {
  if (lacking === null) return ok('each database is a service of the swarm, pinned to this machine');
  return warn(
    `databases that are started here are processes, and in a container end with it: ${lacking}`,
    'See "Databases in a stack" in docs/more-than-one-machine.md, if this host is to keep databases.',
  );
}
