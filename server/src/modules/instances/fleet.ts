import type { Config } from '../../config.ts';
import type { Store } from '../../db/pool.ts';
import { RETURN_MS } from '../../db/return-time.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Leadership } from '../../jobs/leadership.ts';
import type { Log } from '../../lib/log.ts';
import type { InstanceUse } from '../../metrics/usage-meter.ts';
import type { ChannelHub } from '../../routing/channel-hub.ts';
import type { InstanceAddress } from '../../routing/route.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import type { BootTiming } from './await-listening.ts';
import type { CrashTiming } from './crash-record.ts';

/**
 * Keeps the instances of every environment as they should be: starts, supervises, scales, wakes, drains and
 * stops them, and tells edges which of them take requests. What should be is in the store, what is is what
 * the runtime says; nothing is lost when the process is.
 */
export interface Fleet {
  /** Adopts what runs. Whatever is asked before waits for it. */
  start(): Promise<void>;
  /** Instances run on. */
  stop(): Promise<void>;
  /**
   * Starts instances of a deployment beside those that serve, or takes those that an interrupted release
   * left, and resolves when each can be reached. Rejects with `StartFailed`. They are kept until `settle`.
   */
  prepare(deployment: PreparedOf, options: PrepareOptions): Promise<Candidates>;
  /** The release has come to its end, whichever, and has written it down: the rest follows from that. */
  settle(deployment: PreparedOf): Promise<void>;
  /** The instances that take the requests of what is live, for whoever takes a release back. */
  serving(environmentId: string): InstanceAddress[];
  /**
   * Instances that were started with other addresses of databases than those of now are replaced: another one is
   * there before the old one goes. Resolves when none of them takes requests any more.
   */
  renew(environmentId: string, signal: AbortSignal): Promise<void>;
  /** Resolves when nothing of an environment that is being deleted runs any more. */
  clear(environmentId: string, signal: AbortSignal): Promise<void>;
  /** How many environments it has in mind: those with something to do, and those that had a while ago. */
  inMind(): number;
}

export interface PreparedOf {
  deploymentId: string;
  environmentId: string;
}

export interface PrepareOptions {
  signal: AbortSignal;
  /** What a person should know, a sentence each. */
  onNote: (note: string) => void;
  /** Where all of them are is certain; they need not listen yet, and one may turn out to listen elsewhere. */
  onPlaced?: (instances: InstanceAddress[]) => void;
}

/** Instances that wait to be switched to. */
export interface Candidates {
  /** Those that can be reached; one that has ended since is not among them. */
  addresses: () => InstanceAddress[];
  /** Rejects with `StartFailed` as soon as one of them has ended; never resolves. */
  failure: Promise<never>;
  /** Where they say whether they are well; null: nothing was said, and any answer will do. */
  healthPath: string | null;
  /** What one said last, without secrets. */
  lastLines: (instanceId: string) => Promise<string[]>;
}

/** The deployment cannot be started; the message tells a person why, and the lines are the instance's last. */
export class StartFailed extends Error {
  readonly lines: readonly string[];

  constructor(message: string, lines: readonly string[] = []) {
    super(message);
    this.lines = lines;
  }
}

export interface FleetDeps {
  store: Store;
  channels: ChannelHub;
  config: Pick<Config, 'home' | 'instances' | 'publicUrl' | 'appsDomain'>;
  runtime: Runtime;
  keyring: Keyring;
  clock: Clock;
  log: Log;
  /** What is written is written only while this process leads. Left out, nobody else could. */
  leadership?: Leadership;
  /** Is told what all instances that run have used, about once a second. */
  onUsage?: (instances: readonly InstanceUse[]) => void;
  timing?: Partial<FleetTiming>;
}

export interface FleetTiming extends CrashTiming, Omit<BootTiming, 'startWithinMs'> {
  /** How often edges' reports are read, and instances' use of processors. */
  tickMs: number;
  /** How often rows are looked at for what a lost notification would have told. */
  lookMs: number;
  checkMs: number;
  /**
   * What runs instances has said by then where a new one is, or why there is none: more than fetching many files
   * takes. Whatever hangs, nobody waits for it longer.
   */
  placeWithinMs: number;
  /** A connection, an answer of the health path, and any answer at all of one that is doubted: later is never. */
  checkWithinMs: number;
  healthWithinMs: number;
  answerWithinMs: number;
  /** Who has not answered, or has not been well, for so long is replaced. */
  sickMs: number;
  /** From being asked to end to being ended. */
  graceMs: number;
  /** After an outage of the store, edges that live report within this time. */
  edgesReturnMs: number;
  /**
   * Who has slept for so long is forgotten, until somebody asks for it. What is told within an hour is counted: no
   * sooner.
   */
  forgetMs: number;
}

export const fleetTiming: FleetTiming = {
  tickMs: 1000,
  lookMs: 2000,
  checkMs: 5000,
  placeWithinMs: 20 * 60_000,
  checkWithinMs: 2000,
  healthWithinMs: 5000,
  answerWithinMs: 10_000,
  sickMs: 60_000,
  graceMs: 10_000,
  edgesReturnMs: RETURN_MS,
  forgetMs: 3_600_000,
  stableMs: 60_000,
  firstBackoffMs: 1000,
  longestBackoffMs: 60_000,
  portSettleMs: 1000,
  localSettleMs: 5000,
};
