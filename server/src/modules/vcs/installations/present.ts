import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { HostInstallation } from '../../../vcs/vcs-host.ts';
import type { LinkedInstallationRow } from './installation-store.ts';

export function presentLinkedInstallation(
  row: LinkedInstallationRow,
): OutputOf<Endpoints['vcs-app.link-installation']> {
  return {
    installationId: Number(row.id),
    accountLogin: row.account_login,
    accountType: row.account_type,
    repositorySelection: row.repository_selection,
    suspended: row.is_suspended,
    url: row.url,
    linkedAt: row.linked_at.toISOString(),
  };
}

export function presentVisible(
  { id, account, repositorySelection, isSuspended, url }: HostInstallation,
  canLink: boolean,
): OutputOf<Endpoints['vcs-app.installations']>[number] {
  return {
    installationId: id,
    accountLogin: account.login,
    accountType: account.type,
    repositorySelection,
    suspended: isSuspended,
    url,
    canLink,
  };
}
