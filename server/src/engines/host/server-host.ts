import type { DatabaseType } from '@lilac/contract/states';
import type { ServerSize } from '../server.ts';

/**
 * Gives the servers of databases a place on this machine and runs their processes; it knows no engine. Each has a
 * folder with a volume of limited size, a user and a control group of its own where the platform is root, and goes on
 * running when whoever started it ends. Everything may be repeated after a crash at any point.
 */
export interface ServerHost {
  /** Makes the place, or gives the one that is there. */
  take(serverId: string, wants: PlaceWants): Promise<ServerPlace>;
  /** Null when there is none; a volume that the machine's restart took away is mounted again. */
  find(serverId: string): Promise<ServerPlace | null>;
  /** Ids of every place of that kind. */
  list(type: DatabaseType): string[];
  /** Whose server it is; null when there is none. Nothing is mounted to find out. */
  databaseOf(serverId: string): string | null;
  /**
   * Starts the server's main process in its place: as its user, in its control group, without privileges it could
   * gain, output appended to `logFile` (bounded), detached. Refused while one runs.
   */
  launch(place: ServerPlace, program: ServerProgram): Promise<void>;
  /** Runs a helper program (`initdb`, say) to its end the same way: same user, same group. */
  run(
    place: ServerPlace,
    program: ServerProgram & { timeoutMs: number },
  ): Promise<{ exitCode: number | null; output: string }>;
  isRunning(serverId: string): boolean;
  /** Names the run of its main process, which no other start shares; null when none runs. */
  runOf(serverId: string): string | null;
  /** Sends the signals to the main process one after another until no process is left, at last SIGKILL to all. */
  end(serverId: string, steps: readonly { signal: NodeJS.Signals; waitMs: number }[]): Promise<void>;
  /** All its processes at once; resolves when the last one is gone. */
  kill(serverId: string): Promise<void>;
  /** The main process ended though nobody called `end` or `kill`. */
  onExit(listener: (serverId: string) => void): () => void;
  /** Memory and processor time that it may use from now on. */
  setLimits(place: ServerPlace, size: ServerSize): void;
  usage(place: ServerPlace): Promise<{ cpuSeconds: number; memoryBytes: number }>;
  space(place: ServerPlace): Promise<ServerSpace>;
  /** More storage, never less. `EngineRefused` where this machine cannot: all is then as it was. */
  grow(serverId: string, storageGb: number): Promise<void>;
  /** A reserve within the volume, given up so that a server that cannot even recover has room; taken again by `keepReserve`. */
  giveUpReserve(place: ServerPlace): Promise<void>;
  keepReserve(place: ServerPlace): Promise<void>;
  /**
   * Takes the control group and the mounts of one that does not run away from the machine, until it is started, or
   * `find` is asked for it; true where there were mounts.
   */
  putAway(serverId: string): Promise<boolean>;
  /** Processes, control group, mount, files: everything. Harmless when there is nothing. */
  remove(serverId: string): Promise<void>;
  /**
   * How the platform names `home` in the address of a socket, which may have 107 bytes: the folder itself where that is
   * short enough, else the way through the running process.
   */
  socketFolder(serverId: string): string;
  /** What keeps servers less apart, or their storage less bounded, than it should be: a sentence each, for `doctor`. */
  lacking(): Promise<readonly string[]>;
  open(): Promise<void>;
  close(): Promise<void>;
}

export interface PlaceWants {
  type: DatabaseType;
  /** Servers of one database share a user. */
  databaseId: string;
  size: ServerSize;
}

export interface ServerPlace {
  serverId: string;
  type: DatabaseType;
  databaseId: string;
  /** The platform's own, 0700: records, settings that the server's user must not change. */
  folder: string;
  /** The server's own, inside the volume: everything it writes. Its working directory; its user gets in by no other way. */
  home: string;
  /** How the server itself names `home`: `/proc/self/cwd` where it may not pass through the folders above. */
  innerHome: string;
  logFile: string;
  /** Null where the platform is not root: the server runs as the platform's own user. */
  uid: number | null;
  /** Hands over what the platform has put into `home`. */
  own(path: string): void;
}

export interface ServerProgram {
  argv: readonly [string, ...string[]];
  env?: Readonly<Record<string, string>>;
  /**
   * Where the program finds its home besides, in a view of the file system that is its own: for one that takes its paths
   * apart and so does not get by with `innerHome`. Without effect where it runs as the platform's own user.
   */
  homeAt?: string;
  /** How whoever else may end it, a swarm say, asks it to; SIGTERM unless it is told here. */
  stopSignal?: NodeJS.Signals;
}

export interface ServerSpace {
  /** What its files take. */
  usedBytes: number;
  /** What was promised: `storageGb`. */
  promisedBytes: number;
  /** Where the volume ends, a little behind the promise; null where nothing bounds it. */
  hardBytes: number | null;
}
