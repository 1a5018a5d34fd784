import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';

export type { ChildProcess };

/** The only file that starts programs: from an argv array, never through a shell. */
export interface SpawnOptions {
  cwd?: string;
  /** The whole environment of the program; nothing is inherited unless it is here. */
  env: Record<string, string | undefined>;
  uid?: number;
  gid?: number;
  stdio?: StdioOptions;
  /** Its own session: it outlives this process and gets none of the terminal's signals. */
  detached?: boolean;
  /** Ends the program when aborted. */
  signal?: AbortSignal;
}

export function start(argv: readonly [string, ...string[]], options: SpawnOptions): ChildProcess {
  const [file, ...args] = argv;
  return spawn(file, args, { ...options, env: options.env, shell: false });
}

export interface Finished {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A program may have something to say about each of a million files. */
const MAX_ERROR_LENGTH = 1_048_576;

/** Runs a short program to its end. Rejects only when it cannot be started. */
export function run(
  argv: readonly [string, ...string[]],
  options: Omit<SpawnOptions, 'stdio' | 'detached'> & { timeoutMs?: number },
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = start(argv, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 60_000);
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      if (stderr.length < MAX_ERROR_LENGTH) stderr += chunk;
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (exitCode, signal) => {
      clearTimeout(timer);
      resolve({ exitCode, signal, stdout, stderr });
    });
  });
}
