import { Fault } from '../../lib/fault.ts';
import type { Log } from '../../lib/log.ts';
import { localEnvironment, type GitHome } from './git-environment.ts';
import { hasRunOutOfMemory, MirrorBroken, TOO_LARGE_OBJECT } from './git-failure.ts';
import type { Mirror } from './mirror.ts';
import type { RemoteGit } from './remote-git.ts';
import { runGit, type GitCall, type GitResult } from './run-git.ts';

/** What every operation on repositories needs. */
export interface GitContext {
  root: string;
  home: GitHome;
  remote: RemoteGit;
  log: Log;
}

const LOCAL_TIMEOUT_MS = 5 * 60_000;

export interface LocalCall extends Partial<Pick<GitCall, 'input' | 'signal' | 'maxOutputBytes' | 'onOutput'>> {
  variables?: Record<string, string>;
}

/** Runs a git that only reads the mirror. That it fails means that the mirror is not what it should be. */
export async function readMirror(
  { home }: GitContext,
  { gitDir }: Mirror,
  args: readonly string[],
  { variables, ...call }: LocalCall = {},
): Promise<GitResult> {
  const env = { ...localEnvironment(home, gitDir), ...variables };
  const result = await runGit(args, {
    cwd: home.folder,
    timeoutMs: LOCAL_TIMEOUT_MS,
    memoryBytes: home.memoryBytes,
    ...call,
    env,
  });
  if (result.stopped === 'aborted') call.signal?.throwIfAborted();
  if (result.stopped) throw new Fault('VA003', 'The repository holds more than can be read in reasonable time.');
  if (hasRunOutOfMemory(result)) throw new Fault('VA003', `The repository ${TOO_LARGE_OBJECT}`);
  if (result.exitCode !== 0) throw new MirrorBroken(`git ${args[0]} ended with ${result.exitCode}: ${result.stderr}`);
  return result;
}
