import type { SourceLimits } from '../../../engines/address/source-limits.ts';
import type { StableAddresses } from '../../../engines/address/stable-address.ts';
import type { ServerHost } from '../../../engines/host/server-host.ts';
import type { DatabaseWorkDeps } from '../databases-deps.ts';

export interface DatabaseKeeperDeps extends DatabaseWorkDeps {
  addresses: StableAddresses;
  limits: Pick<SourceLimits, 'hold' | 'obstacle'>;
  host: Pick<ServerHost, 'find' | 'space' | 'giveUpReserve' | 'keepReserve'>;
  timing?: Partial<KeeperTiming>;
}

export interface KeeperTiming {
  /** How often all rows, and what runs, are looked at. */
  lookMs: number;
  /** How often a server is asked whether it answers, and how long it may take. */
  probeMs: number;
  probeWithinMs: number;
  /** So many questions in a row without an answer, and a server whose process lives is taken for hung. */
  hungAfter: number;
  /**
   * How often it is asked whether the standby is in step, and how long it may be out of it before the primary goes on
   * alone.
   */
  stepMs: number;
  outOfStepMs: number;
  firstBackoffMs: number;
  longestBackoffMs: number;
  /** How soon it is tried again where what starts servers was away. */
  awayMs: number;
  /** Who has been up for so long has not crashed at its start. */
  stableMs: number;
  /** Where the size of files has to be added up one by one, they are looked at less often. */
  folderSpaceMs: number;
  /** How often it is looked whether instances stand elsewhere. */
  accessMs: number;
  addressesMs: number;
  straysMs: number;
}

export const keeperTiming: KeeperTiming = {
  lookMs: 1000,
  probeMs: 10_000,
  probeWithinMs: 5000,
  hungAfter: 4,
  stepMs: 3000,
  outOfStepMs: 3000,
  firstBackoffMs: 100,
  longestBackoffMs: 30_000,
  awayMs: 5000,
  stableMs: 60_000,
  folderSpaceMs: 10_000,
  accessMs: 10_000,
  addressesMs: 30_000,
  straysMs: 600_000,
};

/** What the keeper's parts share. */
export type KeeperWorld = Omit<DatabaseKeeperDeps, 'timing'> & {
  timing: KeeperTiming;
  /** Aborted when the keeper stops: whatever it waits for is given up, and servers run on. */
  stopping: AbortSignal;
};
