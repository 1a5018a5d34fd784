import type { Readable } from 'node:stream';

/**
 * Runs programs that are not trusted: builds, later the instances of applications. What a program sees
 * of this machine is the read-only system and the folders it is given; what it may use is limited.
 */
export interface Sandbox {
  /** How far programs are kept apart on this machine. */
  isolation(): Promise<Isolation>;
  /** Resolves when every process of the run is gone, however it ended. Rejects only when it cannot be started. */
  run(request: SandboxRequest): Promise<SandboxOutcome>;
  /** Ends what was left running by processes of the platform that are gone. */
  sweep(): Promise<void>;
}

export interface SandboxRequest {
  /** Of `[A-Za-z0-9_-]`; one run at a time has it. */
  name: string;
  argv: readonly [string, ...string[]];
  /** Where it starts, as the program sees it. */
  cwd: string;
  /** The whole environment, byte for byte. It never appears in an argv. */
  env: Readonly<Record<string, string>>;
  /** In this order: a later one may lie inside an earlier one. */
  mounts: readonly Mount[];
  /** Who it runs as where the platform is root (see `uids.ts`). */
  uid: number;
  limits: Limits;
  signal: AbortSignal;
  /** It has started; `members` tells the processes of the run whenever it is asked. */
  onStart?(members: () => number[]): void;
  /** What it reads from its standard input; nothing where it is left out. */
  input?: () => Readable;
  /** Standard output and error in the order they were written, a line each; awaited, so that a slow reader slows it. */
  onLine(line: string): void | Promise<void>;
}

export type Mount =
  | { kind: 'folder'; from: string; at: string; isWritable: boolean }
  /**
   * What is written lands in `upper`; `lower` stays as it is. `upper` and `work` are empty folders of one file system.
   */
  | { kind: 'overlay'; lower: string; upper: string; work: string; at: string };

export interface Limits {
  memoryMb: number;
  cpus: number;
  /** Processes and threads. */
  pids: number;
  timeoutMs: number;
  /** Somebody waits for it: where others want the processor too, it has more of it than each of them. */
  isUrgent?: boolean;
}

export type SandboxOutcome =
  | { kind: 'exited'; exitCode: number }
  | { kind: 'out-of-memory' }
  | { kind: 'timed-out' }
  | { kind: 'aborted' };

/** A plain user without bubblewrap: whatever is run would be run as the platform itself, its keys in reach. */
export class SandboxUnavailable extends Error {
  constructor() {
    super('Nothing can be built here: bubblewrap does not work on this machine. `lilac doctor` tells what to do.');
  }
}

/** Everything a program is given lies below here, wherever it lies on this machine. */
export const SANDBOX_HOME = '/home';

export interface Isolation {
  isRoot: boolean;
  /** Null where there is none that works. */
  bubblewrap: string | null;
  /** Whether folders can be laid over one another here. */
  canOverlay: boolean;
  /** Which of the limits are really held. */
  limited: readonly ('memory' | 'cpu' | 'pids')[];
  /** What is lacking, a sentence each, for the operator and the top of every build's log. */
  lacking: readonly string[];
}
