import type { KeyRole, Role } from '@lilac/contract/permissions';
import type { Plan } from '@lilac/contract/plans';
import type {
  ApplicationStatus,
  DeploymentStage,
  DeploymentStatus,
  DeploymentType,
  EnvironmentStatus,
  GitProvider,
  SourceType,
  UploadStatus,
} from '@lilac/contract/states';
import type { RunSpec } from './run-spec.ts';
import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely';

/** Filled in by the store when left out. */
type Timestamp = ColumnType<Date, Date | undefined, Date>;
type MaybeTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;
type Maybe<T> = ColumnType<T | null, T | null | undefined, T | null>;
/** The column has a default. */
type Defaulted<T> = ColumnType<T, T | undefined, T>;
/** Read as an object, written as JSON text. */
type MaybeJson<T extends object> = JSONColumnType<T | null, string | null | undefined, string | null>;
/** bigint: the driver gives text. */
type BigInteger = ColumnType<string, number | string, number | string>;
type MaybeBigInteger = ColumnType<string | null, number | string | null | undefined, number | string | null>;

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
  status: Defaulted<ApplicationStatus>;
  git_provider: Defaulted<GitProvider>;
  provider2_project_id: MaybeBigInteger;
  provider3_repo_uuid: Maybe<string>;
  is_private: Defaulted<boolean>;
  is_framework_given: Defaulted<boolean>;
  is_runtime_given: Defaulted<boolean>;
  build_command: Maybe<string>;
  output_directory: Maybe<string>;
  start_command: Maybe<string>;
  root_directory: Maybe<string>;
  container_port: Maybe<number>;
  memory: Defaulted<string>;
  cpu: Maybe<string>;
  concurrency: Defaulted<number>;
  cpu_target: Defaulted<number>;
  region: Maybe<string>;
  auto_deploy_on_push: Defaulted<boolean>;
  auto_deploy_branches: Defaulted<string[]>;
  auto_delete_stale_envs: Defaulted<boolean>;
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
  is_production: Defaulted<boolean>;
  status: Defaulted<EnvironmentStatus>;
  auto_deploy: Defaulted<boolean>;
  build_command: Maybe<string>;
  output_directory: Maybe<string>;
  /** Sealed JSON. */
  variables: Maybe<string>;
  container_port: Maybe<number>;
  memory: Maybe<string>;
  cpu: Maybe<string>;
  min_instances: Defaulted<number>;
  max_instances: Defaulted<number>;
  region: Maybe<string>;
  custom_domain: Maybe<string>;
  live_deployment_id: Maybe<string>;
  trouble: Maybe<string>;
  password_hash: Maybe<string>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface UploadsTable {
  id: string;
  organisation_id: string;
  status: Defaulted<UploadStatus>;
  file_name: string;
  content_type: string;
  storage_path: string;
  announced_size: MaybeBigInteger;
  size: MaybeBigInteger;
  detected: MaybeJson<object>;
  expires_at: Date;
  completed_at: MaybeTimestamp;
  created_at: Timestamp;
}

export interface DeploymentsTable {
  id: string;
  organisation_id: string;
  application_id: string;
  environment_id: string;
  status: Defaulted<DeploymentStatus>;
  stage: Defaulted<DeploymentStage>;
  upload_id: Maybe<string>;
  vcs_branch: Maybe<string>;
  commit_sha: Maybe<string>;
  commit_message: Maybe<string>;
  plan: MaybeJson<object>;
  run: MaybeJson<RunSpec>;
  /** Sealed JSON. */
  variables: Maybe<string>;
  artifact_id: Maybe<string>;
  error: Maybe<string>;
  job_id: MaybeBigInteger;
  created_at: Timestamp;
  completed_at: MaybeTimestamp;
  released_at: MaybeTimestamp;
}

export interface DeploymentLogChunksTable {
  deployment_id: string;
  number: number;
  lines: string[];
}

export interface ArtifactsTable {
  id: string;
  organisation_id: string;
  environment_id: string;
  kind: 'static' | 'slug';
  state: Defaulted<'packing' | 'whole'>;
  file_count: Defaulted<number>;
  size: ColumnType<string, number | string | undefined, number | string>;
  compressed_at: MaybeTimestamp;
  created_at: Timestamp;
}

export interface ArtifactBlobsTable {
  artifact_id: string;
  hash: Buffer;
}

export interface BlobVariantsTable {
  hash: Buffer;
  coding: 'br' | 'gzip';
  /** Null: tried, and not smaller. */
  variant_hash: Maybe<Buffer>;
  size: Maybe<number>;
}

export interface RoutesTable {
  environment_id: string;
  subdomain: Maybe<string>;
  target: MaybeJson<object>;
  lock: MaybeJson<object>;
  version: BigInteger;
  changed_at: Timestamp;
}

export interface EdgesTable {
  name: string;
  version: BigInteger;
  load: JSONColumnType<object, string | undefined, string>;
  seen_at: Timestamp;
}

export interface ActivityEntriesTable {
  id: string;
  organisation_id: string;
  application_id: Maybe<string>;
  environment_id: Maybe<string>;
  action: string;
  actor_email: string;
  created_at: Timestamp;
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
  uploads: UploadsTable;
  deployments: DeploymentsTable;
  deployment_log_chunks: DeploymentLogChunksTable;
  artifacts: ArtifactsTable;
  artifact_blobs: ArtifactBlobsTable;
  blob_variants: BlobVariantsTable;
  routes: RoutesTable;
  edges: EdgesTable;
  activity_entries: ActivityEntriesTable;
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
export type UploadRow = Selectable<UploadsTable>;
export type DeploymentRow = Selectable<DeploymentsTable>;
export type ArtifactRow = Selectable<ArtifactsTable>;
export type ActivityRow = Selectable<ActivityEntriesTable>;
