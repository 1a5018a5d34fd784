import type { Config } from '../../config.ts';
import type { HandlersFor } from '../../http/handler.ts';
import type { Clock } from '../../lib/clock.ts';
import { invalid } from '../../lib/fault.ts';
import { readLacking } from '../../runtime/isolation-file.ts';
import type { Engines } from '../databases/databases-deps.ts';
import { thisMachine } from '../databases/tier.ts';
import type { VcsHosts } from '../vcs/vcs-deps.ts';
import { compatibleCpus, containerSizes, isMemory, memories, scaling } from './container-sizes.ts';
import { describeDatabaseTypes } from './database-types.ts';
import { effectiveFlags } from './feature-flags.ts';
import { describePlatform } from './platform.ts';
import { describeRepositoryHosts } from './repository-hosts.ts';

export interface CatalogueDeps {
  config: Pick<Config, 'home' | 'appsDomain' | 'featureSwitches' | 'vcsUrls'>;
  clock: Clock;
  engines: Engines;
  hosts: VcsHosts;
}

export function catalogueHandlers({
  config,
  clock,
  engines,
  hosts,
}: CatalogueDeps): HandlersFor<'health'> & HandlersFor<'config'> {
  return {
    'health.get': () => ({ status: 'ok', timestamp: clock.now().toISOString(), uptime: process.uptime() }),
    'config.platform': async () =>
      describePlatform({
        appsDomain: config.appsDomain,
        lacking: readLacking(config),
        machine: thisMachine(),
        databaseTypes: await describeDatabaseTypes(engines),
        repositoryHosts: await describeRepositoryHosts({ config, hosts }),
      }),
    'config.feature-flags': () => effectiveFlags(config),
    'config.containerplatform': () => ({
      sizes: containerSizes.map((size) => ({ ...size })),
      scaling: { minInstances: [...scaling.minInstances], maxInstances: [...scaling.maxInstances] },
    }),
    'config.containerplatform.compatible': ({ query: { memory } }) => {
      if (!isMemory(memory)) throw invalid(`memory must be one of ${memories.join(', ')}.`);
      return { memory, cpu: compatibleCpus(memory) };
    },
  };
}
