import type { Engine } from '../../engine.ts';
import type { ServerHost } from '../../host/server-host.ts';
import { homeOf } from '../connect.ts';
import { dumpDatabase } from './dump-database.ts';
import { loadDatabase } from './load-database.ts';

export interface MysqlTransferDeps {
  host: Pick<ServerHost, 'find'>;
}

export function createMysqlTransfer({ host }: MysqlTransferDeps): Pick<Engine, 'dump' | 'load'> {
  return {
    async dump(spec, databaseName, sink, signal) {
      const { id, version: series, size } = spec;
      const { memoryMb } = size;
      return dumpDatabase({ home: await homeOf(host, id), series, memoryMb, databaseName, sink, signal });
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
