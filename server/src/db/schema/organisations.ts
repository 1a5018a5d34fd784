import type { KeyRole, Role } from '@lilac/contract/permissions';
import type { Plan } from '@lilac/contract/plans';
import type { ColumnType, Selectable } from 'kysely';
import type { Maybe, MaybeTimestamp, Timestamp } from './column-types.ts';

export interface OrganisationsTable {
  id: string;
  name: string;
  slug: string;
  plan: Plan;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface MembershipsTable {
  organisation_id: string;
  user_id: string;
  role: Role;
  created_at: Timestamp;
}

export interface InvitationsTable {
  id: string;
  organisation_id: string;
  email: string;
  role: Role;
  token_hash: Buffer;
  invited_by: Maybe<string>;
  expires_at: Date;
  accepted_at: MaybeTimestamp;
  revoked_at: MaybeTimestamp;
  created_at: Timestamp;
}

export interface ApiKeysTable {
  id: string;
  public_id: string;
  organisation_id: string;
  name: string;
  prefix: string;
  role: KeyRole;
  secret_hash: Buffer;
  created_by: Maybe<string>;
  expires_at: MaybeTimestamp;
  revoked_at: MaybeTimestamp;
  last_used_at: MaybeTimestamp;
  created_at: Timestamp;
}

export interface OrganisationCountsTable {
  organisation_id: string;
  kind: string;
  /** bigint: the driver gives text. */
  total: ColumnType<string, never, never>;
}

export type OrganisationRow = Selectable<OrganisationsTable>;
export type InvitationRow = Selectable<InvitationsTable>;
export type ApiKeyRow = Selectable<ApiKeysTable>;
