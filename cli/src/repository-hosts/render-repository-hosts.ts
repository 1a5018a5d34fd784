import type { OutputOf } from '@lilac/contract/endpoint';
import type { EndpointName, Endpoints } from '@lilac/contract/endpoints';
import type { Fields } from '../terminal/render-cell.ts';
import { renderTable } from '../terminal/render-list.ts';
import type { Paper } from '../terminal/render.ts';

type Sync = OutputOf<Endpoints['vcs-app.sync-installations']>;

/** What repository hosts answer, where a sentence says it better. */
export const repositoryHostTexts = { 'vcs-app.sync-installations': renderSync };

function renderSync({ installations, removed }: Sync, { width }: Paper): string {
  const gone =
    removed === 0
      ? 'Nothing is gone at the host.'
      : `${removed} ${removed === 1 ? 'installation is' : 'installations are'} gone at the host and forgotten here.`;
  if (installations.length === 0) return `${gone} None is linked; "lilac vcs install" links one.`;
  return `${gone} Linked:\n\n${renderTable(installations.map(presentInstallation), width)}`;
}

export function isInstallations(endpoint: EndpointName): boolean {
  return endpoint === 'vcs-app.installations' || endpoint === 'vcs-app.organisation-installations';
}

/** Whose it is first: people know accounts by name. The address is long, so it comes last. */
export function presentInstallation(installation: Fields): Fields {
  const { accountLogin, installationId, suspended, linkedAt, canLink, repositorySelection, accountType, url } =
    installation;
  return {
    account: accountLogin,
    installation_id: installationId,
    suspended,
    ...(linkedAt !== undefined && { linked_at: linkedAt }),
    ...(canLink !== undefined && { can_link: canLink }),
    repositories: repositorySelection,
    type: accountType,
    settings_url: url,
  };
}
