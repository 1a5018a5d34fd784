import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createBreather } from '../../lib/breather.ts';
import { describeFiles } from '../../lib/describe-files.ts';
import { Fault } from '../../lib/fault.ts';
import { createLinkResolver } from '../../source/link-resolver.ts';
import { fetchBlobs, fetchBranch } from './fetch-branch.ts';
import { readMirror, type GitContext } from './git-context.ts';
import { MirrorBroken } from './git-failure.ts';
import { findLfsPointers } from './lfs-pointers.ts';
import { listFiles, type TreeFile } from './list-files.ts';
import { linksTangled } from './links-tangled.ts';
import type { Mirror } from './mirror.ts';
import { readBlobs, sizesOf } from './read-blobs.ts';
import type { CheckOutOptions, Commit, Repository } from './repository.ts';

export interface CheckOut extends CheckOutOptions {
  repository: Repository;
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
  await request.onCommit?.(commit);
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
  { request: { repository, signal }, files, sizes }: Files & { request: CheckOut },
): Promise<void> {
  const links = files.filter(({ kind }) => kind === 'link');
  const long = links.find(({ id }) => (sizes.get(id) ?? 0) > MAX_LINK_BYTES);
  if (long) throw new Fault('VA003', `The link "${long.path}" is too long.`);
  const contents = await readBlobs(context, mirror, { ids: links.map(({ id }) => id), signal });
  const targets = new Map(Array.from(contents, ([id, content]) => [id, content.toString('utf8')]));
  const byPath = new Map(links.map(({ path, id }) => [path, targets.get(id) ?? '']));
  const tree = { targetOf: (path: string) => byPath.get(path) };
  const resolver = createLinkResolver(tree, { tangled: () => linksTangled(repository) });
  const breathe = createBreather(signal);
  for (const [path, target] of byPath) {
    if ((await resolver.followSlowly(path, breathe)) === null) throw leavesTree(path, target);
    await breathe();
  }
}

const leavesTree = (path: string, target: string) =>
  new Fault(
    'VA003',
    `The link "${path}" leads out of the repository or in a circle (to "${target}"). Remove it, or make it point to a file inside.`,
  );

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
    // It is tried again with a new mirror. In any other case the folder is removed by whoever made it.
    if (error instanceof MirrorBroken) await emptyFolder(folder);
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
