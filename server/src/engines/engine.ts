import type { DatabaseType } from '@lilac/contract/states';
import type { Explorer, ExplorerAccess } from './explorer.ts';
import type { ServerSize, ServerSpec, ServerUsage } from './server.ts';
import type { DumpSummary, LoadOptions, LoadSummary } from './transfer.ts';

/**
 * Runs the servers of managed databases on this machine, of one kind. A server belongs to nobody's process:
 * whoever started it may be gone, and the next one finds it by its id. Everything here may be repeated after
 * a crash at any point and then ends as if it had been done once. `conformance.ts` holds every implementation
 * to these comments.
 */
export interface Engine {
  readonly type: DatabaseType;
  /** `PostgreSQL`, `MySQL (MariaDB)`. */
  readonly label: string;
  /** Whether new databases can be made here, and of which version; or what is missing, for a person. */
  availability(): Promise<EngineAvailability>;
  /** What makes the first creation as quick as the others. Harmless when it is there. */
  prepare(): Promise<void>;

  /**
   * Makes the files of a server with its accounts, ready to start; it does not run afterwards. What was left
   * half-made is made anew; what is whole stays. Rejects with `EngineRefused` when this host cannot.
   */
  create(spec: ServerSpec): Promise<void>;
  /**
   * Starts it with what the spec says, or finds it running, and resolves when it takes connections: recovery after
   * a crash may take long. Size and access that differ from what it runs with take effect where they can without
   * a restart; for the rest there is `stop` before `start`. Rejects with `EngineRefused`, its last words in the message.
   */
  start(spec: ServerSpec, signal?: AbortSignal): Promise<void>;
  /** Lets transactions end for a moment, then insists. Resolves when no process is left. Harmless for one that does not run. */
  stop(serverId: string): Promise<void>;
  /** At once, all its processes: it can write nothing more when this resolves. */
  kill(serverId: string): Promise<void>;
  /** Its processes, control group, mount, files. Harmless for what is not there. */
  destroy(serverId: string): Promise<void>;
  /** Whether its processes run; what it answers is another question (`probe`). */
  isRunning(serverId: string): boolean;
  /**
   * Answers within the time, or rejects: it takes connections, and as a primary it takes writes. `crowded`: it says
   * that others have all of its connections, so it lives, and nothing more is known.
   */
  probe(spec: ServerSpec, timeoutMs: number): Promise<ServerHealth | 'crowded'>;
  /** Ids of every server of this kind that has files or processes here. */
  list(): Promise<string[]>;
  /** Tells once of every server whose main process ends without `stop`, `kill` or `destroy`, adopted ones too. Returns how to stop listening. */
  onExit(listener: (serverId: string) => void): () => void;
  usage(spec: ServerSpec): Promise<ServerUsage>;

  /** The database and the account that owns it, which is no superuser. The same again changes nothing but the password. */
  createDatabase(spec: ServerSpec, owner: DatabaseOwner): Promise<void>;
  /** When it resolves, the old password opens nothing, and every session that it opened has ended. */
  setPassword(spec: ServerSpec, owner: Pick<DatabaseOwner, 'user' | 'password'>): Promise<void>;
  /** How many sessions customers have at a time in a server of that size. */
  connectionsOf(size: ServerSize): number;
  /** Rejects with `EngineRefused`, at once, a network (`203.0.113.0/24`) that its servers cannot be limited to. */
  assertNetwork(network: string): void;
  /** Who may come from where, from now on; sessions from elsewhere are ended. Needs no restart. */
  setAccess(spec: ServerSpec): Promise<void>;
  /** The same, of one that runs and lets in others than it should; where all is right, nobody is disturbed. */
  keepAccess(spec: ServerSpec): Promise<void>;
  /**
   * The brake in front of the end of its storage: false refuses the customer's writes with a clear error and ends
   * the sessions that write; reading goes on, and so does what frees space.
   */
  setWritable(spec: ServerSpec, isWritable: boolean): Promise<void>;
  /** More storage at once, without a restart. Never less. Rejects with `EngineRefused` when this host cannot, and all is as it was. */
  grow(serverId: string, storageGb: number): Promise<void>;

  /** Makes `standby` a copy of the running `primary` and starts it; resolves when it follows. */
  createStandby(primary: ServerSpec, standby: ServerSpec, signal?: AbortSignal): Promise<void>;
  /**
   * Whether the primary's commits wait until the standby has them (null: no standby; they wait for nobody). When it
   * resolves with a standby, what is acknowledged from then on is on both, after a restart of the primary too.
   */
  setSynchronous(primary: ServerSpec, standbyId: string | null): Promise<void>;
  /**
   * Whether the standby had everything that the primary acknowledged, as far as it can tell: it follows, synchronously.
   * Of a primary that does not run, the answer counts too; rejects where only one that runs could tell.
   */
  isInStep(primary: ServerSpec, standbyId: string): Promise<boolean>;
  /** The standby becomes a primary that takes writes, for nobody's standby. The old primary must have been killed. */
  promote(standby: ServerSpec): Promise<void>;

  /** Writes the whole database as SQL text that `load` takes, in one consistent view, streamed; the sink is not ended. */
  dump(spec: ServerSpec, databaseName: string, sink: NodeJS.WritableStream, signal: AbortSignal): Promise<DumpSummary>;
  /**
   * Runs SQL text as the owner, never as superuser. PostgreSQL: in one transaction. MySQL: its definitions commit by
   * themselves, so that whoever calls keeps what was there before. Rejects with `LoadFailed`, which says where.
   */
  load(
    spec: ServerSpec,
    owner: DatabaseOwner,
    source: AsyncIterable<Buffer>,
    options: LoadOptions,
  ): Promise<LoadSummary>;
  /** Whether a transaction that `load` told of was committed. */
  hasCommitted(spec: ServerSpec, transactionId: string): Promise<boolean>;
  /** Drops everything in the database and makes it anew, empty. */
  empty(spec: ServerSpec, owner: DatabaseOwner): Promise<void>;

  /** Looks into the database as its owner. */
  explorer(access: ExplorerAccess): Explorer;

  /** Begins to watch what runs; before anything else, by the one process that keeps databases. */
  open(): Promise<void>;
  /** Stops watching. Servers run on. */
  close(): Promise<void>;
}

/** `version` is a series, the part of the number whose files fit together: `18`, `10.11`. */
export type EngineAvailability = { version: string; missing: null } | { version: null; missing: string };

export interface DatabaseOwner {
  databaseName: string;
  user: string;
  password: string;
}

export interface ServerHealth {
  isPrimary: boolean;
  isWritable: boolean;
}

/** This host cannot, or the server did not; the message tells a person why. */
export class EngineRefused extends Error {}

/** What starts servers on this host is away for a while: that says nothing against the server. */
export class EngineAway extends EngineRefused {}
