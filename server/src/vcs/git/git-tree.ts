import type { TreeEntry } from '../../source/source-tree.ts';
import { openBlobReader, type BlobReader } from './blob-reader.ts';
import { fetchBlobs, fetchBranch } from './fetch-branch.ts';
import type { GitContext } from './git-context.ts';
import { toFault } from './git-failure.ts';
import { listFiles, type TreeFile } from './list-files.ts';
import { likelyManifests, likelyText } from './manifest-names.ts';
import type { Mirror } from './mirror.ts';
import { readBlobs, sizesOf } from './read-blobs.ts';
import type { OpenTree, Repository } from './repository.ts';
import { resolvePath } from './resolve-link.ts';

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
  const folders = indexFolders(files);
  const linksByPath = new Map(links.map(({ path, id }) => [path, targets.get(id)?.toString('utf8') ?? '/']));
  const reader = openBlobReader(context, mirror);
  return {
    commit,
    list: (folder) => Promise.resolve(listFolder(folders, linksByPath, folder)),
    read: (path) =>
      readFile({ folders, linksByPath, reader, fetchMissing }, path).catch((error: unknown) => {
        throw toFault(repository, error);
      }),
    async [Symbol.asyncDispose]() {
      await reader.close();
    },
  };
}

type Folders = ReadonlyMap<string, ReadonlyMap<string, TreeFile | 'folder'>>;

function indexFolders(files: readonly TreeFile[]): Folders {
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
  }
  return folders;
}

function listFolder(folders: Folders, links: ReadonlyMap<string, string>, folder: string): TreeEntry[] {
  const path = resolvePath(links, folder);
  const entries = path === null ? undefined : folders.get(path);
  const known = [...(entries ?? [])].flatMap(([name, entry]): TreeEntry[] => {
    const kind = kindOf(folders, links, entry);
    return kind ? [{ name, kind }] : [];
  });
  return known.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function kindOf(
  folders: Folders,
  links: ReadonlyMap<string, string>,
  entry: TreeFile | 'folder',
): TreeEntry['kind'] | null {
  if (entry === 'folder') return 'folder';
  if (entry.kind !== 'link') return 'file';
  const end = resolvePath(links, entry.path);
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
  linksByPath: ReadonlyMap<string, string>;
  reader: BlobReader;
  fetchMissing: (wanted: readonly TreeFile[]) => Promise<void>;
}

async function readFile({ folders, linksByPath, reader, fetchMissing }: Reading, path: string): Promise<string | null> {
  const end = resolvePath(linksByPath, path);
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
