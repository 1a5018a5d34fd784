import { createBreather } from '../../lib/breather.ts';
import { createLinkResolver, type LinkResolver } from '../../source/link-resolver.ts';
import type { TreeEntry } from '../../source/source-tree.ts';
import { openBlobReader, type BlobReader } from './blob-reader.ts';
import { fetchBlobs, fetchBranch } from './fetch-branch.ts';
import type { GitContext } from './git-context.ts';
import { toFault } from './git-failure.ts';
import { listFiles, type TreeFile } from './list-files.ts';
import { linksTangled } from './links-tangled.ts';
import { likelyManifests, likelyText } from './manifest-names.ts';
import type { Mirror } from './mirror.ts';
import { readBlobs, sizesOf } from './read-blobs.ts';
import type { OpenTree, Repository } from './repository.ts';

export interface TreeRequest {
  repository: Repository;
  branch: string;
  signal?: AbortSignal;
  /** All at once for a host that gives nothing later. */
  files: 'all' | 'later';
}

const FETCH_TIMEOUT_MS = 2 * 60_000;
const MAX_LINKS = 1000;
const MAX_NEIGHBOURS = 64;

/**
 * The tree of a branch's head over the mirror. Two requests to the host at most in the common case: the
 * folders, then all the files that are likely to be asked for. Others are fetched with their neighbours.
 */
export async function openGitTree(context: GitContext, mirror: Mirror, request: TreeRequest): Promise<OpenTree> {
  const { repository, signal } = request;
  const fetching = { repository, signal, timeoutMs: FETCH_TIMEOUT_MS };
  const commit = await fetchBranch(context, mirror, { ...fetching, branch: request.branch, files: request.files });
  const files = await listFiles(context, mirror, { repository, sha: commit.sha, signal });
  const fetchMissing = async (wanted: readonly TreeFile[]): Promise<void> => {
    const ids = new Set(wanted.map(({ id }) => id));
    const present = await sizesOf(context, mirror, { ids, signal });
    await fetchBlobs(context, mirror, { ...fetching, ids: [...ids].filter((id) => !present.has(id)) });
  };
  const links = files.filter(({ kind }) => kind === 'link').slice(0, MAX_LINKS);
  await fetchMissing([...likelyManifests(files), ...links]);
  const targets = await readBlobs(context, mirror, { ids: links.map(({ id }) => id), signal });
  const folders = await indexFolders(files);
  const byPath = new Map(links.map(({ path, id }) => [path, targets.get(id)?.toString('utf8') ?? '/']));
  const resolver = await followLinks({ repository, folders, targets: byPath });
  const reader = openBlobReader(context, mirror);
  return {
    commit,
    list: (folder) => listFolder(folders, resolver, folder),
    read: (path) =>
      readFile({ folders, resolver, reader, fetchMissing }, path).catch((error: unknown) => {
        throw toFault(repository, error);
      }),
    async [Symbol.asyncDispose]() {
      await reader.close();
    },
  };
}

type Folders = ReadonlyMap<string, ReadonlyMap<string, TreeFile | 'folder'>>;

async function indexFolders(files: readonly TreeFile[]): Promise<Folders> {
  const breathe = createBreather();
  const folders = new Map<string, Map<string, TreeFile | 'folder'>>([['', new Map()]]);
  const folderAt = (path: string): Map<string, TreeFile | 'folder'> => {
    const known = folders.get(path);
    if (known) return known;
    const made = new Map<string, TreeFile | 'folder'>();
    folders.set(path, made);
    folderAt(parentOf(path)).set(nameOf(path), 'folder');
    return made;
  };
  for (const file of files) {
    if (file.kind === 'submodule') folderAt(file.path);
    else folderAt(parentOf(file.path)).set(nameOf(file.path), file);
    await breathe();
  }
  return folders;
}

interface Links {
  repository: Repository;
  folders: Folders;
  targets: ReadonlyMap<string, string>;
}

/** All of them at once, so that nothing is left to do when a folder is listed. */
async function followLinks({ repository, folders, targets }: Links): Promise<LinkResolver> {
  const tree = { targetOf: (path: string) => targets.get(path), isFolder: (path: string) => folders.has(path) };
  const resolver = createLinkResolver(tree, { tangled: () => linksTangled(repository) });
  const breathe = createBreather();
  for (const path of targets.keys()) {
    await resolver.followSlowly(path, breathe);
    await breathe();
  }
  return resolver;
}

async function listFolder(folders: Folders, resolver: LinkResolver, folder: string): Promise<TreeEntry[]> {
  const path = resolver.resolve(folder);
  const entries = path === null ? undefined : folders.get(path);
  const breathe = createBreather();
  const known: TreeEntry[] = [];
  for (const [name, entry] of entries ?? []) {
    const kind = kindOf(folders, resolver, entry);
    if (kind) known.push({ name, kind });
    await breathe();
  }
  return known.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function kindOf(folders: Folders, resolver: LinkResolver, entry: TreeFile | 'folder'): TreeEntry['kind'] | null {
  if (entry === 'folder') return 'folder';
  if (entry.kind !== 'link') return 'file';
  const end = resolver.follow(entry.path);
  if (end === null) return null;
  if (folders.has(end)) return 'folder';
  return fileAt(folders, end) ? 'file' : null;
}

function fileAt(folders: Folders, path: string): TreeFile | null {
  const entry = folders.get(parentOf(path))?.get(nameOf(path));
  return entry && entry !== 'folder' && entry.kind !== 'link' ? entry : null;
}

interface Reading {
  folders: Folders;
  resolver: LinkResolver;
  reader: BlobReader;
  fetchMissing: (wanted: readonly TreeFile[]) => Promise<void>;
}

async function readFile({ folders, resolver, reader, fetchMissing }: Reading, path: string): Promise<string | null> {
  const end = resolver.resolve(path);
  const file = end === null ? null : fileAt(folders, end);
  if (!file) return null;
  const text = await reader.read(file.id);
  if (text !== null) return text;
  const neighbours = [...(folders.get(parentOf(file.path))?.values() ?? [])]
    .filter((entry) => entry !== 'folder')
    .filter((entry) => likelyText(entry.path));
  await fetchMissing([file, ...neighbours.slice(0, MAX_NEIGHBOURS)]);
  return reader.read(file.id);
}

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
