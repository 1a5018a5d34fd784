import { createStableAddresses } from '../engines/address/create-stable-addresses.ts';
import { createSourceLimits } from '../engines/address/source-limits.ts';
import { createServerHost } from '../engines/host/create-server-host.ts';
import type { ServerHost } from '../engines/host/server-host.ts';
import { createMysql } from '../engines/mysql/create-mysql.ts';
import { exploreMysql } from '../engines/mysql/explorer/create-explorer.ts';
import { createMysqlTransfer } from '../engines/mysql/transfer/create-transfer.ts';
import { createPostgresql } from '../engines/postgresql/create-postgresql.ts';
import { explorePostgresql } from '../engines/postgresql/explorer/create-explorer.ts';
import { createPostgresqlTransfer } from '../engines/postgresql/transfer/create-transfer.ts';
import type { JobHandler } from '../jobs/job.ts';
import type { Leadership } from '../jobs/leadership.ts';
import { createDatabaseLocks } from '../modules/databases/database-locks.ts';
import type { DatabasesDeps, Engines } from '../modules/databases/databases-deps.ts';
import { databaseJobs } from '../modules/databases/jobs.ts';
import { createDatabaseKeeper, type DatabaseKeeper } from '../modules/databases/keeper/create-database-keeper.ts';
import { announceHost } from '../modules/databases/links/announce-host.ts';
import { keepDoors, type DoorKeeper } from '../modules/databases/links/keep-doors.ts';
import { renewLinked, type RenewDeps } from '../modules/databases/links/renew-linked.ts';
import { addStandby } from '../modules/databases/standby/add-standby.ts';
import { removeStandby } from '../modules/databases/standby/remove-standby.ts';
import { transferJobs } from '../modules/databases/transfer/jobs.ts';
import { removeBackups } from '../modules/databases/transfer/remove-backups.ts';
import { restoreData } from '../modules/databases/transfer/restore-database.ts';
import type { ChannelHub } from '../routing/channel-hub.ts';
import type { Runtime } from '../runtime/runtime.ts';

type EnginesDeps = Pick<DatabasesDeps, 'config' | 'log' | 'clock'>;

/** Both engines on the servers of this machine. Nothing is watched before somebody opens them. */
export function createEngines(deps: EnginesDeps): { engines: Engines; host: ServerHost } {
  const host = createServerHost(deps);
  const shared = { ...deps, host };
  return {
    host,
    engines: {
      postgresql: createPostgresql({
        ...shared,
        transfer: createPostgresqlTransfer(shared),
        explore: explorePostgresql(host),
      }),
      mysql: createMysql({ ...shared, transfer: createMysqlTransfer(shared), explore: exploreMysql(host) }),
    },
  };
}

export interface DatabaseParts {
  jobs: JobHandler[];
  /** Keeps the servers, and says where they are. */
  keeper: DatabaseKeeper;
  /** Keeps who reaches them. */
  doors: DoorKeeper;
}

type DatabasePartsDeps = Omit<DatabasesDeps, 'engines'> &
  Pick<RenewDeps, 'fleet'> & {
    channels: ChannelHub;
    runtime: Pick<Runtime, 'setDoors' | 'network'>;
    leadership: Pick<Leadership, 'hold'>;
  };

/** What the worker does for databases. */
export async function buildDatabaseParts(deps: DatabasePartsDeps): Promise<DatabaseParts> {
  const { engines, host } = createEngines(deps);
  const addresses = await createStableAddresses(deps);
  const work = { ...deps, engines, locks: createDatabaseLocks() };
  const servers = createDatabaseKeeper({ ...work, host, addresses, limits: createSourceLimits(deps) });
  const announcer = announceHost(deps);
  return {
    jobs: [
      ...databaseJobs({
        ...work,
        addresses,
        standbys: {
          add: (id, signal) => addStandby(work, id, signal),
          remove: (id) => removeStandby(work, id),
        },
        transfers: {
          restore: (id, signal) => restoreData(work, id, signal),
          removeBackups: (id) => removeBackups(work, id),
        },
        links: { renew: (id, signal) => renewLinked(work, id, signal) },
      }),
      ...transferJobs(work),
    ],
    doors: keepDoors(deps),
    keeper: {
      async start() {
        // Where instances stand is written into what servers let in: it must be certain before the first one starts.
        await announcer.start();
        await servers.start();
      },
      async stop() {
        await Promise.all([announcer.stop(), servers.stop()]);
      },
    },
  };
}
