import type { ObjectStore } from '../objects/object-store.ts';
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
  if (source.kind === 'upload') throw new Error('later');
  const { repository, branch } = source;
  const onLine = (line: string) => hooks.onLine(line);
  await hooks.onCommit(await deps.gitSources.checkOut(repository, { branch, folder, signal, onLine }));
}
