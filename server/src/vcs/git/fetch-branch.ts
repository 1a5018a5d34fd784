import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../lib/fault.ts';
import { sha256 } from '../../lib/hash.ts';
import { refOfBranch } from './branch-name.ts';
import { readMirror, type GitContext } from './git-context.ts';
import { localEnvironment } from './git-environment.ts';
import {
  isMissingBranch,
  lacksShallow,
  MirrorBroken,
  missingBranch,
  refusesObjects,
  remoteFault,
  throwIfStopped,
  unknownFault,
} from './git-failure.ts';
import { listBranches } from './list-branches.ts';
import { dropMirror, forgetFetcher, noteFetcher, touchMirror, withLockedMirror, type Mirror } from './mirror.ts';
import type { Commit, Repository } from './repository.ts';
import { runGit, type GitResult } from './run-git.ts';

export interface FetchOptions {
  signal?: AbortSignal;
  timeoutMs: number;
}

const SILENCE_MS = 60_000;
/** Of one fetch; the check-out has a limit of its own. */
const MAX_PACK_BYTES = 1024 ** 3;
const MAX_MESSAGE = 10_000;

/**
 * Brings the branch's head into the mirror: the commit and its folders, and its files unless they are left for later.
 */
export async function fetchBranch(
  context: GitContext,
  mirror: Mirror,
  {
    repository,
    branch,
    files,
    ...options
  }: FetchOptions & { repository: Repository; branch: string; files: 'all' | 'later' },
): Promise<Commit> {
  const ref = `refs/lilac/${sha256(branch).toString('hex').slice(0, 32)}`;
  const what = [
    files === 'later' ? '--filter=blob:none' : '--no-filter',
    '--',
    'origin',
    `+${refOfBranch(branch)}:${ref}`,
  ];
  return withLockedMirror(mirror, { signal: options.signal, waitMs: options.timeoutMs }, async () => {
    const isNew = !existsSync(mirror.gitDir);
    try {
      await initialise(context, mirror);
      await fetchRef(context, mirror, { repository, branch, what, ...options });
      return await readCommit(context, mirror, ref);
    } catch (error) {
      // Anybody may ask for any repository: one that is not there leaves nothing behind.
      if (isNew) await dropMirror(mirror);
      throw error;
    }
  });
}

async function fetchRef(
  context: GitContext,
  mirror: Mirror,
  { repository, branch, what, ...options }: FetchOptions & { repository: Repository; branch: string; what: string[] },
): Promise<void> {
  let result = await fetch(context, mirror, { repository, args: ['--depth=1', ...what], ...options });
  if (lacksShallow(result)) result = await fetch(context, mirror, { repository, args: what, ...options });
  if (isMissingBranch(result)) {
    const branches = await listBranches(context, repository, options);
    throw missingBranch(
      repository,
      branch,
      branches.map(({ name }) => name),
    );
  }
  if (result.exitCode !== 0) throw failure(repository, result);
  touchMirror(mirror);
}

/** Brings files that an earlier fetch left out, all in one request. */
export async function fetchBlobs(
  context: GitContext,
  mirror: Mirror,
  { repository, ids, ...options }: FetchOptions & { repository: Repository; ids: readonly string[] },
): Promise<void> {
  if (ids.length === 0) return;
  await withLockedMirror(mirror, { signal: options.signal, waitMs: options.timeoutMs }, async () => {
    const result = await fetch(context, mirror, {
      repository,
      // The depth means nothing to files. It keeps git from walking a host that only serves files, which may
      // name other hosts, and for which a git that fetches on demand starts itself over and over.
      args: ['--depth=1', '--filter=blob:none', '--stdin', '--', 'origin'],
      input: `${ids.join('\n')}\n`,
      settings: { 'fetch.negotiationAlgorithm': 'noop' },
      ...options,
    });
    // What was left out will not be given: all of it has to come at once.
    if (result.exitCode !== 0 && refusesObjects(result)) throw new MirrorBroken(result.stderr);
    if (result.exitCode !== 0) throw failure(repository, result);
  });
}

interface Fetch extends FetchOptions {
  repository: Repository;
  args: readonly string[];
  input?: string;
  settings?: Record<string, string>;
}

const FETCH = [
  'fetch',
  '--progress',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
];

async function fetch(context: GitContext, mirror: Mirror, { repository, args, ...call }: Fetch): Promise<GitResult> {
  const tooLarge = new AbortController();
  const signal = AbortSignal.any([tooLarge.signal, ...(call.signal ? [call.signal] : [])]);
  const sizes = setInterval(() => void endWhenTooLarge(mirror, repository, tooLarge), 500);
  try {
    const result = await context.remote(repository, [...FETCH, ...args], {
      ...call,
      gitDir: mirror.gitDir,
      silenceMs: SILENCE_MS,
      signal,
      onStart: (pid) => noteFetcher(mirror, pid),
    });
    // One that was cut short leaves things behind; that it is still noted has the next holder clear them.
    if (result.exitCode !== null) forgetFetcher(mirror);
    throwIfStopped(repository, result, signal);
    return result;
  } finally {
    clearInterval(sizes);
  }
}

/** git has no limit of its own on what a host may send. */
async function endWhenTooLarge({ gitDir }: Mirror, { owner, name }: Repository, end: AbortController): Promise<void> {
  const folder = join(gitDir, 'objects', 'pack');
  const names = await readdir(folder).catch(() => []);
  const sizes = names.filter((file) => file.startsWith('tmp_pack_')).map((file) => sizeOf(join(folder, file)));
  if (sizes.some((size) => size > MAX_PACK_BYTES)) {
    end.abort(new Fault('VA003', `${owner}/${name} is larger than 1 GiB, which is more than can be deployed.`));
  }
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function failure(repository: Repository, result: GitResult): Error {
  return (
    remoteFault(repository, result) ?? new MirrorBroken(result.stderr, { cause: unknownFault(repository, result) })
  );
}

/** Harmless where there is one already. */
async function initialise({ home }: GitContext, { gitDir }: Mirror): Promise<void> {
  const args = ['init', '--quiet', '--bare', '--template=', '--', gitDir];
  const result = await runGit(args, { cwd: home.folder, env: localEnvironment(home), timeoutMs: 30_000 });
  if (result.exitCode !== 0) throw new MirrorBroken(result.stderr);
}

async function readCommit(context: GitContext, mirror: Mirror, ref: string): Promise<Commit> {
  const { stdout } = await readMirror(context, mirror, [
    'log',
    '-1',
    '--no-show-signature',
    '--format=%H%n%B',
    ref,
    '--',
  ]);
  const text = stdout.toString('utf8');
  const end = text.indexOf('\n');
  return {
    sha: text.slice(0, end),
    message: text
      .slice(end + 1)
      .trim()
      .slice(0, MAX_MESSAGE),
  };
}
