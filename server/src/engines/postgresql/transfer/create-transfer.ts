import type { Config } from '../../../config.ts';
import { EngineRefused, type Engine } from '../../engine.ts';
import type { ServerHost } from '../../host/server-host.ts';
import { homeOf } from '../../host/places-of.ts';
import { findPrograms } from '../programs.ts';
import { dumpDatabase } from './dump-database.ts';
import { SCHEMA_LIMITS, type SchemaLimits } from './dump-schema.ts';
import { watchServer } from './ended-itself.ts';
import { LOCK_WAIT_MS } from './hold-still.ts';
import { loadDatabase } from './load-database.ts';

export interface PostgresqlTransferDeps {
  config: Pick<Config, 'databases'>;
  host: Pick<ServerHost, 'find' | 'runOf'>;
  /** How long a dump waits for whoever has locked a table. */
  lockWaitMs?: number;
  /** How long a statement of an import does. */
  loadLockWaitMs?: number;
  schemaLimits?: SchemaLimits;
}

/** Longer than for a dump: the customer waits for this one, and applications may finish what they are at. */
const LOAD_LOCK_WAIT_MS = 2 * 60_000;

export function createPostgresqlTransfer({
  config,
  host,
  lockWaitMs = LOCK_WAIT_MS,
  loadLockWaitMs = LOAD_LOCK_WAIT_MS,
  schemaLimits = SCHEMA_LIMITS,
}: PostgresqlTransferDeps): Pick<Engine, 'dump' | 'load'> {
  function watched(serverId: string) {
    const isGoneWithin = watchServer(host, serverId);
    if (!isGoneWithin) throw new EngineRefused('The server of this database does not run.');
    return isGoneWithin;
  }

  return {
    async dump(spec, databaseName, sink, signal) {
      const [home, programs] = await Promise.all([
        homeOf(host, spec.id),
        findPrograms(config.databases.postgresqlPrograms),
      ]);
      const series = Number.parseInt(spec.version, 10);
      return dumpDatabase({
        home,
        isGoneWithin: watched(spec.id),
        series,
        memoryMb: spec.size.memoryMb,
        databaseName,
        programs,
        schemaLimits,
        lockWaitMs,
        sink,
        signal,
      });
    },
    async load(spec, owner, source, options) {
      const home = await homeOf(host, spec.id);
      return loadDatabase({
        ...options,
        home,
        isGoneWithin: watched(spec.id),
        owner,
        source,
        lockWaitMs: loadLockWaitMs,
      });
    },
  };
}
