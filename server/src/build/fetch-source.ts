import { describeFiles } from '../lib/describe-files.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { unpackArchive } from '../source/archive/unpack-archive.ts';
import type { GitSources } from '../vcs/git/repository.ts';
import type { BuildHooks, BuildRequest } from './builder.ts';

export interface FetchDeps {
  gitSources: GitSources;
  objects: ObjectStore;
}

export interface FetchOptions {
  source: BuildRequest['source'];
  /** Empty. */
  folder: string;
  signal: AbortSignal;
  hooks: Pick<BuildHooks, 'onCommit' | 'onLine'>;
}

/** Writes the project's files into the folder. */
export async function fetchSource(deps: FetchDeps, { source, folder, signal, hooks }: FetchOptions): Promise<void> {
  if (source.kind === 'upload') {
    const archive = { objects: deps.objects, key: source.storagePath };
    const { fileCount, unpackedBytes } = await unpackArchive(archive, folder, { signal });
    hooks.onLine(`The uploaded archive: ${describeFiles(fileCount, unpackedBytes)}`);
    return;
  }
  const { repository, branch } = source;
  const onLine = (line: string) => hooks.onLine(line);
  const onCommit: BuildHooks['onCommit'] = (commit) => hooks.onCommit(commit);
  await deps.gitSources.checkOut(repository, { branch, folder, signal, onLine, onCommit });
}
