import { Fault } from '../../lib/fault.ts';
import { localEnvironment, type GitHome } from './git-environment.ts';
import { runGit } from './run-git.ts';

/**
 * The first that heeds every setting this folder relies on (`http.curloptResolve`); older ones pass them over in
 * silence.
 */
const OLDEST = [2, 37] as const;

/** Rejects where the machine's git would leave holes that we think are closed. */
export async function assertGitVersion(home: GitHome): Promise<void> {
  const call = { env: localEnvironment(home), cwd: home.folder, timeoutMs: 30_000 };
  const version = (await runGit(['version'], call)).stdout.toString('utf8').trim();
  if (!isRecent(version)) {
    const message = `This platform's machine has ${version || 'no git'}, but repositories need git ${OLDEST.join('.')} or newer.`;
    throw new Fault('SV002', message);
  }
}

/** `git version 2.39.5`, with whatever a distribution adds. */
export function isRecent(version: string): boolean {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
}
