import type { KeyRole, Role } from '@lilac/contract/permissions';
import type { Plan } from '@lilac/contract/plans';
import type { ApplicationStatus, DeploymentType, EnvironmentStatus, SourceType } from '@lilac/contract/states';
import type { ColumnType, Generated, Selectable } from 'kysely';

/** Filled in by the store when left out. */
type Timestamp = ColumnType<Date, Date | undefined, Date>;
type MaybeTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;
type Maybe<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface UsersTable {
  id: string;
  email: string;
  first_name: string;
  password_hash: string;
  totp_secret: Maybe<string>;
  totp_enabled_at: MaybeTimestamp;
  /** bigint: the driver gives text. */
  totp_last_step: ColumnType<string | null, number | string | null | undefined, number | string | null>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface RecoveryCodesTable {
  user_id: string;
  code_hash: Buffer;
  used_at: MaybeTimestamp;
}

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

export type SessionKind = 'browser' | 'cli' | 'operator';

export interface SessionsTable {
  id: string;
  user_id: string;
  kind: SessionKind;
  device: string;
  address: Maybe<string>;
  created_at: Timestamp;
  last_used_at: Timestamp;
  expires_at: Date;
  revoked_at: MaybeTimestamp;
  revoked_because: Maybe<string>;
}

export interface RefreshTokensTable {
  token_hash: Buffer;
  session_id: string;
  created_at: Timestamp;
  expires_at: Date;
  used_at: MaybeTimestamp;
  used_with_key: Maybe<Buffer>;
  successor_hash: Maybe<Buffer>;
}

export interface MfaChallengesTable {
  token_hash: Buffer;
  user_id: string;
  expires_at: Date;
  consumed_at: MaybeTimestamp;
}

export interface DeviceAuthorizationsTable {
  device_code_hash: Buffer;
  user_code: string;
  client_id: string;
  address: Maybe<string>;
  user_agent: Maybe<string>;
  state: ColumnType<
    'pending' | 'approved' | 'denied' | 'consumed',
    'pending' | undefined,
    'approved' | 'denied' | 'consumed'
  >;
  user_id: Maybe<string>;
  interval_seconds: number;
  last_polled_at: MaybeTimestamp;
  created_at: Timestamp;
  expires_at: Date;
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

export interface AttemptCountersTable {
  bucket: string;
  failures: number;
  window_ends_at: Date;
}

export interface PlatformSecretsTable {
  name: string;
  sealed: string;
  created_at: Timestamp;
}

export interface SetupLinkTable {
  singleton: Generated<boolean>;
  token_hash: Buffer;
  created_at: Timestamp;
}

export interface ProjectsTable {
  id: string;
  organisation_id: string;
  name: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface ApplicationsTable {
  id: string;
  organisation_id: string;
  project_id: Maybe<string>;
  name: string;
  slug: string;
  deployment_type: DeploymentType;
  framework: string;
  runtime: Maybe<string>;
  vcs_repo_url: Maybe<string>;
  vcs_branch: Maybe<string>;
  source_type: SourceType;
  status: ColumnType<ApplicationStatus, ApplicationStatus | undefined, ApplicationStatus>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface EnvironmentsTable {
  id: string;
  organisation_id: string;
  application_id: string;
  name: string;
  subdomain: string;
  vcs_branch: Maybe<string>;
  is_production: ColumnType<boolean, boolean | undefined, boolean>;
  status: ColumnType<EnvironmentStatus, EnvironmentStatus | undefined, EnvironmentStatus>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface OrganisationCountsTable {
  organisation_id: string;
  kind: string;
  /** bigint: the driver gives text. */
  total: ColumnType<string, never, never>;
}

export interface Database {
  users: UsersTable;
  recovery_codes: RecoveryCodesTable;
  organisations: OrganisationsTable;
  memberships: MembershipsTable;
  invitations: InvitationsTable;
  sessions: SessionsTable;
  refresh_tokens: RefreshTokensTable;
  mfa_challenges: MfaChallengesTable;
  device_authorizations: DeviceAuthorizationsTable;
  api_keys: ApiKeysTable;
  attempt_counters: AttemptCountersTable;
  platform_secrets: PlatformSecretsTable;
  setup_link: SetupLinkTable;
  projects: ProjectsTable;
  applications: ApplicationsTable;
  environments: EnvironmentsTable;
  organisation_counts: OrganisationCountsTable;
}

export type UserRow = Selectable<UsersTable>;
export type OrganisationRow = Selectable<OrganisationsTable>;
export type InvitationRow = Selectable<InvitationsTable>;
export type SessionRow = Selectable<SessionsTable>;
export type ApiKeyRow = Selectable<ApiKeysTable>;
export type ProjectRow = Selectable<ProjectsTable>;
export type ApplicationRow = Selectable<ApplicationsTable>;
export type EnvironmentRow = Selectable<EnvironmentsTable>;
