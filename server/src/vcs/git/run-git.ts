import { once } from 'node:events';
import { Fault } from '../../lib/fault.ts';
import { findProgram } from '../../lib/find-program.ts';
import { start, type ChildProcess } from '../../lib/exec.ts';

export interface GitCall {
  env: Record<string, string>;
  cwd: string;
  /** Given on standard input. */
  input?: string;
  /** The whole may not take longer. */
  timeoutMs: number;
  /** Nor may it say nothing for this long: a host that went away. */
  silenceMs?: number;
  signal?: AbortSignal;
  /** A larger answer is not waited for. */
  maxOutputBytes?: number;
  /** What each program of it may have of memory. */
  memoryBytes?: number;
  /** Told at once, before git can have done anything. */
  onStart?: (pid: number) => void;
  /** Standard output as it comes, in place of collecting it; whoever throws here ends git. */
  onOutput?: (chunk: Buffer) => void;
}

export type GitStop = 'aborted' | 'timeout' | 'output';

export interface GitResult {
  exitCode: number | null;
  stdout: Buffer;
  stderr: string;
  /** Why it was ended before its time; null when it ended by itself. */
  stopped: GitStop | null;
}

const MAX_ERRORS = 64 * 1024;
const MAX_OUTPUT = 64 * 1024 * 1024;
/** A few megabytes can be packed so that one object of gigabytes comes out, which git then holds as a whole. */
const MAX_MEMORY = 1024 ** 3;

/** Runs git to its end. Ending it early ends all it has started: helpers and packers are in its process group. */
export async function runGit(args: readonly string[], call: GitCall): Promise<GitResult> {
  if (call.signal?.aborted) return { exitCode: null, stdout: Buffer.alloc(0), stderr: '', stopped: 'aborted' };
  const child = start(gitArgv(args, call), { env: call.env, cwd: call.cwd, detached: true, stdio: 'pipe' });
  if (child.pid !== undefined) call.onStart?.(child.pid);
  const limits = watchLimits(child, call);
  const output = collectOutput(child, call, limits);
  child.stdin?.on('error', () => {}).end(call.input ?? '');
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null];
    if (exitCode === NOT_EXECUTED) throw notInstalled();
    return { exitCode, ...output.finish(), stopped: limits.reason() };
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' && child.pid === undefined ? notInstalled() : error;
  } finally {
    limits.end();
  }
}

/** As `prlimit` says that there is no such program. */
const NOT_EXECUTED = 127;

/**
 * Git within its memory: what it allocates, not the files it maps. Those it starts inherit the limit. A system
 * without `prlimit` has git as it is.
 */
export function gitArgv(
  args: readonly string[],
  { env, memoryBytes = MAX_MEMORY }: Pick<GitCall, 'env' | 'memoryBytes'>,
): [string, ...string[]] {
  const prlimit = findProgram(['prlimit'], env['PATH']);
  return prlimit ? [prlimit, `--data=${memoryBytes}`, '--', 'git', ...args] : ['git', ...args];
}

const notInstalled = () =>
  new Fault('SV002', 'git is not installed on this platform: whoever runs it has to install git first.');

/** The whole group: a git that fetches is three programs. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

interface Limits {
  stop: (why: GitStop) => void;
  heard: () => void;
  reason: () => GitStop | null;
  end: () => void;
}

function collectOutput(child: ChildProcess, { onOutput, maxOutputBytes = MAX_OUTPUT }: GitCall, limits: Limits) {
  const chunks: Buffer[] = [];
  let size = 0;
  let stderr = '';
  let failure: Error | null = null;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > maxOutputBytes) return limits.stop('output');
    if (!onOutput) return void chunks.push(chunk);
    try {
      if (!failure) onOutput(chunk);
    } catch (error) {
      failure = error as Error;
      limits.stop('output');
    }
  };
  child.stdout?.on('data', (chunk: Buffer) => {
    limits.heard();
    take(chunk);
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    limits.heard();
    stderr = (stderr + text).slice(-MAX_ERRORS);
  });
  return {
    finish(): Pick<GitResult, 'stdout' | 'stderr'> {
      if (failure) throw failure;
      return { stdout: Buffer.concat(chunks), stderr };
    },
  };
}

function watchLimits(child: ChildProcess, { timeoutMs, silenceMs, signal }: GitCall): Limits {
  let reason: GitStop | null = null;
  const stop = (why: GitStop): void => {
    reason ??= why;
    if (child.pid !== undefined) killGroup(child.pid);
  };
  const onAbort = () => stop('aborted');
  const deadline = setTimeout(stop, timeoutMs, 'timeout');
  const silence = silenceMs === undefined ? null : setTimeout(stop, silenceMs, 'timeout');
  signal?.addEventListener('abort', onAbort, { once: true });
  return {
    stop,
    heard: () => void silence?.refresh(),
    reason: () => reason,
    end(): void {
      clearTimeout(deadline);
      if (silence) clearTimeout(silence);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
