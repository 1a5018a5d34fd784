import type { AttemptState, GitProvider } from '@lilac/contract/states';
import type { JSONColumnType, Selectable } from 'kysely';
import type { BigInteger, Defaulted, Maybe, MaybeBigInteger, MaybeTimestamp, Timestamp } from './column-types.ts';

export interface VcsHostsTable {
  provider: GitProvider;
  /** Sealed JSON. */
  settings: string;
  updated_at: Timestamp;
}

export interface VcsSetupLinkTable {
  singleton: Defaulted<true>;
  token_hash: Buffer;
  expires_at: Date;
}

export interface VcsConnectionsTable {
  id: string;
  provider: GitProvider;
  user_id: string;
  host_user_id: string;
  account_login: string;
  /** Sealed JSON. */
  tokens: string;
  trouble: Maybe<string>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface VcsConnectionLinksTable {
  organisation_id: string;
  connection_id: string;
  user_id: string;
  created_at: Timestamp;
}

export interface VcsInstallationsTable {
  id: BigInteger;
  account_id: BigInteger;
  account_login: string;
  account_type: 'user' | 'organisation';
  repository_selection: 'all' | 'selected';
  is_suspended: Defaulted<boolean>;
  url: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface VcsInstallationLinksTable {
  organisation_id: string;
  installation_id: BigInteger;
  user_id: Maybe<string>;
  created_at: Timestamp;
}

export interface VcsAttemptsTable {
  id: string;
  organisation_id: string;
  user_id: string;
  provider: GitProvider;
  state: Defaulted<AttemptState>;
  installation_id: MaybeBigInteger;
  /** Sealed JSON. */
  found: Maybe<string>;
  account_login: Maybe<string>;
  connection_id: Maybe<string>;
  message: Maybe<string>;
  progress: Defaulted<string>;
  changed_at: Timestamp;
  held_until: MaybeTimestamp;
  created_at: Timestamp;
  expires_at: Date;
}

export interface VcsHooksTable {
  provider: 'provider2' | 'provider3';
  repository_id: string;
  hook_id: string;
  connection_id: Maybe<string>;
  created_at: Timestamp;
}

export interface VcsDeliveriesTable {
  provider: GitProvider;
  delivery_id: string;
  event: string;
  /** What the host's events were read as: `HostEvent[]` of `vcs/vcs-host.ts`. */
  events: JSONColumnType<object[]>;
  body_hash: Maybe<Buffer>;
  received_at: Timestamp;
  first_received_at: Timestamp;
}

export type VcsConnectionRow = Selectable<VcsConnectionsTable>;
export type VcsInstallationRow = Selectable<VcsInstallationsTable>;
export type VcsAttemptRow = Selectable<VcsAttemptsTable>;

export interface VcsBranchHeadsTable {
  application_id: string;
  branch: string;
  head: string;
  seen_at: Timestamp;
}
