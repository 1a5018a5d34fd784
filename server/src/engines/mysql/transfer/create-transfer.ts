import { pathsOf, type Config } from '../../../config.ts';
import type { Engine } from '../../engine.ts';
import type { ServerHost } from '../../host/server-host.ts';
import { homeOf } from '../../host/places-of.ts';
import { dumpDatabase } from './dump-database.ts';
import { loadDatabase } from './load-database.ts';
import { LOCK_WAIT_SECONDS } from './lock-wait.ts';

export interface MysqlTransferDeps {
  config: Pick<Config, 'home'>;
  host: Pick<ServerHost, 'find'>;
  /** How long a dump waits for whoever has locked a table. */
  lockWaitSeconds?: number;
}

export function createMysqlTransfer({
  config,
  host,
  lockWaitSeconds = LOCK_WAIT_SECONDS,
}: MysqlTransferDeps): Pick<Engine, 'dump' | 'load'> {
  return {
    async dump(spec, databaseName, sink, signal) {
      const { id, version: series, size } = spec;
      const { memoryMb } = size;
      const home = await homeOf(host, id);
      const { run: runFolder } = pathsOf(config);
      return dumpDatabase({ home, series, memoryMb, databaseName, lockWaitSeconds, runFolder, sink, signal });
    },
    async load(spec, owner, source, options) {
      return loadDatabase({
        ...options,
        home: await homeOf(host, spec.id),
        memoryMb: spec.size.memoryMb,
        owner,
        source,
      });
    },
  };
}
