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
      return dumpDatabase({ home: await homeOf(host, spec.id), series: spec.version, databaseName, sink, signal });
    },
    async load(spec, owner, source, options) {
      return loadDatabase({ ...options, home: await homeOf(host, spec.id), owner, source });
    },
  };
}
