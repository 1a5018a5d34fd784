import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { VcsConnectionRow } from '../../../db/schema.ts';
import type { Branch } from '../../../vcs/git/repository.ts';
import type { HostRepository } from '../../../vcs/vcs-host.ts';
import type { LinkedConnectionRow } from './connection-link-store.ts';

/** Never the tokens. */
export function presentConnection(row: VcsConnectionRow): OutputOf<Endpoints['provider2.own-connections']>[number] {
  return {
    id: row.id,
    accountLogin: row.account_login,
    trouble: row.trouble,
    createdAt: row.created_at.toISOString(),
  };
}

export function presentLinked(row: LinkedConnectionRow): OutputOf<Endpoints['provider2.link-connection']> {
  return { ...presentConnection(row), ownerEmail: row.owner_email, linkedAt: row.linked_at.toISOString() };
}

/** Without its id, which is a number or not, depending on the host. */
export function presentRepository({ name, fullName, isPrivate, defaultBranch }: HostRepository) {
  return { name, full_name: fullName, private: isPrivate, default_branch: defaultBranch };
}

export function presentBranch({ name, sha }: Branch): OutputOf<Endpoints['provider2.branches']>[number] {
  return { name, commit_sha: sha };
}
