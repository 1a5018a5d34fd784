import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeFiles } from '../../lib/describe-files.ts';
import { Fault } from '../../lib/fault.ts';
import { fetchBlobs, fetchBranch } from './fetch-branch.ts';
import { readMirror, type GitContext } from './git-context.ts';
import { MirrorBroken } from './git-failure.ts';
import { findLfsPointers } from './lfs-pointers.ts';
import { listFiles, type TreeFile } from './list-files.ts';
import type { Mirror } from './mirror.ts';
import { readBlobs, sizesOf } from './read-blobs.ts';
import type { Commit, Repository } from './repository.ts';
import { resolvePath } from './resolve-link.ts';

export interface CheckOut {
  repository: Repository;
  branch: string;
  folder: string;
  signal: AbortSignal;
  onLine: (line: string) => void;
}

const FETCH_TIMEOUT_MS = 10 * 60_000;
const MAX_BYTES = 1024 ** 3;
const MAX_LINK_BYTES = 4096;

/** Everything is looked at before the first file is written. */
export async function checkOut(context: GitContext, mirror: Mirror, request: CheckOut): Promise<Commit> {
  const { repository, branch, signal, onLine } = request;
  const fetching = { repository, signal, timeoutMs: FETCH_TIMEOUT_MS };
  const commit = await fetchBranch(context, mirror, { ...fetching, branch, files: 'all' });
  onLine(`Commit ${commit.sha.slice(0, 10)}: ${commit.message.split('\n', 1)[0]}`);
  const files = await listFiles(context, mirror, { repository, sha: commit.sha, signal });
  const sizes = await haveAllBlobs(context, mirror, { ...fetching, files });
  checkSize(repository, files, sizes);
  await checkLinks(context, mirror, { request, files, sizes });
  await writeFiles(context, mirror, { ...request, sha: commit.sha });
  for (const line of await notesOn(context, mirror, { files, sizes, signal })) onLine(line);
  return commit;
}

interface Files {
  files: readonly TreeFile[];
  sizes: ReadonlyMap<string, number>;
}

/** An earlier look at the repository may have left some out. */
async function haveAllBlobs(
  context: GitContext,
  mirror: Mirror,
  {
    files,
    ...fetching
  }: { files: readonly TreeFile[]; repository: Repository; signal: AbortSignal; timeoutMs: number },
): Promise<Map<string, number>> {
  const ids = new Set(files.flatMap(({ kind, id }) => (kind === 'submodule' ? [] : [id])));
  const sizes = await sizesOf(context, mirror, { ids, signal: fetching.signal });
  const missing = [...ids].filter((id) => !sizes.has(id));
  if (missing.length === 0) return sizes;
  await fetchBlobs(context, mirror, { ...fetching, ids: missing });
  const added = await sizesOf(context, mirror, { ids: missing, signal: fetching.signal });
  if (added.size < missing.length) throw new MirrorBroken(`${missing.length - added.size} files did not come`);
  return new Map([...sizes, ...added]);
}

function checkSize({ owner, name }: Repository, files: readonly TreeFile[], sizes: ReadonlyMap<string, number>): void {
  const total = files.reduce((sum, { id }) => sum + (sizes.get(id) ?? 0), 0);
  if (total > MAX_BYTES) {
    const size = (total / MAX_BYTES).toFixed(1);
    throw new Fault('VA003', `The files of ${owner}/${name} have ${size} GiB; more than 1 GiB cannot be deployed.`);
  }
}

async function checkLinks(
  context: GitContext,
  mirror: Mirror,
  { request: { signal }, files, sizes }: Files & { request: CheckOut },
): Promise<void> {
  const links = files.filter(({ kind }) => kind === 'link');
  const long = links.find(({ id }) => (sizes.get(id) ?? 0) > MAX_LINK_BYTES);
  if (long) throw new Fault('VA003', `The link "${long.path}" is too long.`);
  const targets = await readBlobs(context, mirror, { ids: links.map(({ id }) => id), signal });
  const byPath = new Map(links.map(({ path, id }) => [path, targets.get(id)?.toString('utf8') ?? '']));
  const leaving = links.find(({ path }) => resolvePath(byPath, path) === null);
  if (leaving) {
    const target = byPath.get(leaving.path);
    throw new Fault(
      'VA003',
      `The link "${leaving.path}" leads out of the repository or in a circle (to "${target}"). Remove it, or make it point to a file inside.`,
    );
  }
}

/** With an index of its own, so that any number can read one mirror at a time. */
async function writeFiles(
  context: GitContext,
  mirror: Mirror,
  { folder, sha, signal }: CheckOut & { sha: string },
): Promise<void> {
  const index = join(mirror.gitDir, `index-${randomBytes(8).toString('hex')}`);
  const variables = { GIT_INDEX_FILE: index, GIT_WORK_TREE: folder };
  try {
    await readMirror(context, mirror, ['read-tree', '--reset', '-u', '--no-recurse-submodules', sha], {
      variables,
      signal,
    });
  } catch (error) {
    await emptyFolder(folder);
    throw error;
  } finally {
    await Promise.all([rm(index, { force: true }), rm(`${index}.lock`, { force: true })]);
  }
}

async function emptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder);
  await Promise.all(names.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

async function notesOn(
  context: GitContext,
  mirror: Mirror,
  { files, sizes, signal }: Files & { signal: AbortSignal },
): Promise<string[]> {
  const submodules = files.filter(({ kind }) => kind === 'submodule').map(({ path }) => path);
  const pointers = await findLfsPointers(context, mirror, { files, sizes, signal });
  const total = files.reduce((sum, { id }) => sum + (sizes.get(id) ?? 0), 0);
  return [
    describeFiles(files.length, total),
    ...(submodules.length > 0 ? [`Submodules are not fetched; these folders are empty: ${some(submodules)}.`] : []),
    ...(pointers.length > 0
      ? [`Files kept in Git LFS are not fetched; these hold pointers instead of their content: ${some(pointers)}.`]
      : []),
  ];
}

const some = (paths: readonly string[]) =>
  paths.slice(0, 5).join(', ') + (paths.length > 5 ? ` and ${paths.length - 5} more` : '');
