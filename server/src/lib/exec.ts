import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { basename } from 'node:path';

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
/** What is waited for is held in memory: more than any program says that is asked for a few words. */
const MAX_OUTPUT_BYTES = 16 * 1024 ** 2;

/** It was ended, since it wrote more than whoever started it wants to hold. */
export class OutputTooLong extends Error {}

/** Runs a short program to its end. Rejects only when it cannot be started, or says more than `maxOutputBytes`. */
export function run(
  argv: readonly [string, ...string[]],
  options: Omit<SpawnOptions, 'stdio' | 'detached'> & { timeoutMs?: number; maxOutputBytes?: number },
): Promise<Finished> {
  const { timeoutMs = 60_000, maxOutputBytes = MAX_OUTPUT_BYTES, ...spawnOptions } = options;
  return new Promise((resolve, reject) => {
    const child = start(argv, { ...spawnOptions, stdio: ['ignore', 'pipe', 'pipe'] });
    const end = () => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      // Whatever it has started may hold them open.
      child.stdout?.destroy();
      child.stderr?.destroy();
    };
    const timer = setTimeout(end, timeoutMs);
    let stdout = '';
    let stdoutBytes = 0;
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      stdoutBytes += Buffer.byteLength(chunk);
      if (stdoutBytes <= maxOutputBytes) stdout += chunk;
      else endTooLong();
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      if (stderr.length < MAX_ERROR_LENGTH) stderr += chunk;
    });
    const endTooLong = () => {
      end();
      stdout = '';
      reject(new OutputTooLong(`${basename(argv[0])} wrote more than ${maxOutputBytes} bytes, and was ended`));
    };
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
