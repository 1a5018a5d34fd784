import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { environmentForRoles, pathsOf, type Config } from '../config.ts';
import type { Log } from '../lib/log.ts';
import { tryEach } from '../lib/try-each.ts';
import { killCgroup, planCgroup, removeCgroup } from './cgroups/cgroup.ts';
import { detectIsolation, type HostAbilities } from './detect-isolation.ts';
import { runSandboxed } from './run-sandboxed.ts';
import { listAbandoned } from './sandbox-records.ts';
import { SandboxUnavailable, type Sandbox } from './sandbox.ts';

export interface SandboxDeps {
  config: Pick<Config, 'home'>;
  log: Log;
}

export function createSandbox({ config, log }: SandboxDeps): Sandbox {
  const records = join(pathsOf(config).run, 'sandboxes');
  const installation = createHash('sha256').update(config.home).digest('hex').slice(0, 8);
  let detected: Promise<HostAbilities> | undefined;
  const detect = () => (detected ??= detectIsolation({ folder: records, path: environmentForRoles(config).PATH }));
  return {
    isolation: detect,
    async run(request) {
      const host = await detect();
      if (!host.bubblewrap && !host.isRoot) throw new SandboxUnavailable();
      const stage = join(records, 'stage');
      mkdirSync(stage, { recursive: true });
      const limiting = host.cgroupFolders.filter(({ controllers }) => controllers.length > 0);
      const cgroup = planCgroup(limiting, `lilac-${installation}-${request.name}`);
      return runSandboxed(request, { host, cgroup, records, stage });
    },
    async sweep() {
      await tryEach(listAbandoned(records), async ({ name, record, forget }) => {
        log.warn({ sandbox: name }, 'ending what a killed worker left running');
        await killCgroup(record?.cgroup ?? []);
        await removeCgroup(record?.cgroup ?? []);
        forget();
      });
    },
  };
}
