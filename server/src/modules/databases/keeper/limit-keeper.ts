import type { SourceLimit } from '../../../engines/address/limit-rules.ts';
import { rangesOf, readInstanceNetwork } from '../../../runtime/instance-network-file.ts';
import { sizeOf } from '../database.ts';
import type { Pair } from '../standby/read-pair.ts';
import type { DatabaseKeeperDeps } from './keeper-deps.ts';

/** Lets no machine out there have all connections of a database. */
export interface LimitKeeper {
  hold(pairs: readonly Pair[]): Promise<void>;
  /** Whether it is as these rows say, as far as was last set. */
  isHeld(pairs: readonly Pair[]): boolean;
}

/** What one machine may have of them: the rest is for the owner's applications, and for us. */
const SHARE = 0.75;

type LimitDeps = Pick<DatabaseKeeperDeps, 'limits' | 'engines' | 'config' | 'log'>;

export function createLimitKeeper({ limits, engines, config, log }: LimitDeps): LimitKeeper {
  let held: string | null = null;
  let obstacle: string | null | undefined;

  function wantedOf(pairs: readonly Pair[]): { wanted: SourceLimit[]; own: string[] } {
    const wanted = pairs.flatMap(({ database, primary, standby }) => {
      const most = Math.floor(engines[database.database_type].connectionsOf(sizeOf(database)) * SHARE);
      // Whoever comes is counted where he arrives: after a failover that is the port of another server.
      const ports = new Set([database.port, primary.port, ...(standby ? [standby.port] : [])]);
      return [...ports].map((port) => ({ port, most }));
    });
    return { wanted, own: rangesOf(readInstanceNetwork(config)) };
  }

  return {
    async hold(pairs) {
      if (obstacle === undefined) {
        obstacle = await limits.obstacle();
        if (obstacle !== null) {
          log.info({ obstacle }, 'one machine may take all connections of a database: nftables is of no use here');
        }
      }
      const { wanted, own } = wantedOf(pairs);
      if (obstacle === null) await limits.hold(wanted, own);
      held = JSON.stringify({ wanted, own });
    },
    isHeld: (pairs) => held === JSON.stringify(wantedOf(pairs)),
  };
}
