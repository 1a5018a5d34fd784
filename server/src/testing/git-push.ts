import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '../lib/exec.ts';
import { fastImport, type CommitOptions } from './git-import.ts';
import type { GitCredential } from './git-host.ts';

export interface PushTarget {
  /** Of the repository. */
  url: string;
  credential: GitCredential | null;
}

/** What a person does at their own machine: fetches, commits on a branch, pushes. Answers the commit's sha. */
export async function pushCommit(target: PushTarget, options: CommitOptions): Promise<string> {
  return atHome(target, async (git) => {
    await git(['fetch', '--quiet', target.url, '+refs/heads/*:refs/heads/*']);
    const sha = await fastImport(git, options);
    const ref = `refs/heads/${options.branch ?? 'main'}`;
    await git(['push', '--quiet', target.url, `${options.isForced ? '+' : ''}${ref}:${ref}`]);
    return sha;
  });
}

export async function pushDeletion(target: PushTarget, branch: string): Promise<void> {
  await atHome(target, (git) => git(['push', '--quiet', target.url, `:refs/heads/${branch}`]));
}

/** What a clone of the repository has: its branches with their commits. Throws what git says when it may not. */
export async function cloneBranches(target: PushTarget): Promise<Record<string, string>> {
  return atHome(target, async (git) => {
    await git(['fetch', '--quiet', target.url, '+refs/heads/*:refs/heads/*']);
    const lines = await git(['for-each-ref', '--format=%(refname:strip=2) %(objectname)']);
    return Object.fromEntries(lines.split('\n').map((line) => line.split(' '))) as Record<string, string>;
  });
}

type Git = (args: string[], input?: Buffer) => Promise<string>;

async function atHome<T>(target: PushTarget, work: (git: Git) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'lilac-git-push-'));
  const git: Git = (args, input) => runGit(folder, target.credential, args, input);
  try {
    await git(['init', '--quiet', '--bare', '--initial-branch=main']);
    return await work(git);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runGit(
  folder: string,
  credential: GitCredential | null,
  args: string[],
  input: Buffer = Buffer.alloc(0),
): Promise<string> {
  const child = start(['git', '--git-dir', folder, ...args], { env: environment(credential), stdio: 'pipe' });
  let output = '';
  let errors = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  child.stdin?.on('error', () => {}).end(input);
  const [exitCode] = (await once(child, 'close')) as [number | null];
  if (exitCode !== 0) throw new Error(`git ${args[0]}: ${errors}`);
  return output.trim();
}

function environment(credential: GitCredential | null): Record<string, string> {
  const header = credential && `Authorization: Basic ${encode(credential)}`;
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    ...(header && { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'http.extraHeader', GIT_CONFIG_VALUE_0: header }),
  };
}

const encode = ({ username, password }: GitCredential) => Buffer.from(`${username}:${password}`).toString('base64');
