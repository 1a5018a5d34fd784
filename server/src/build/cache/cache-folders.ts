import { join } from 'node:path';

/** What is kept between builds, below the folder of the caches. Nothing is shared between organisations. */
export interface CacheFolders {
  /** What package managers download: by content, for all environments of the organisation. */
  store: string;
  environment: string;
  installed: string;
  frameworks: string;
}

export function cacheFoldersOf(
  root: string,
  { organisationId, environmentId }: { organisationId: string; environmentId: string },
): CacheFolders {
  const environment = environmentFolder(root, environmentId);
  return {
    store: join(root, 'stores', organisationId),
    environment,
    installed: join(environment, 'installed'),
    frameworks: join(environment, 'frameworks'),
  };
}

export const environmentFolder = (root: string, environmentId: string): string =>
  join(root, 'environments', environmentId);
