import type {
  AttemptCountersTable,
  DeviceAuthorizationsTable,
  MfaChallengesTable,
  PlatformSecretsTable,
  RecoveryCodesTable,
  RefreshTokensTable,
  SessionsTable,
  SetupLinkTable,
  UsersTable,
} from './schema/accounts.ts';
import type {
  ApiKeysTable,
  InvitationsTable,
  MembershipsTable,
  OrganisationCountsTable,
  OrganisationsTable,
} from './schema/organisations.ts';
import type {
  ActivityEntriesTable,
  ApplicationsTable,
  EnvironmentsTable,
  ProjectsTable,
  UploadsTable,
} from './schema/projects.ts';
import type {
  ArtifactBlobsTable,
  ArtifactsTable,
  BlobVariantsTable,
  DeploymentLogChunksTable,
  DeploymentsTable,
} from './schema/deployments.ts';
import type {
  DatabaseBackupsTable,
  DatabaseImportsTable,
  DatabaseLinksTable,
  DatabaseMinutesTable,
  DatabasesTable,
  DatabaseServersTable,
} from './schema/databases.ts';
import type {
  AcmeAccountsTable,
  AcmeChallengesTable,
  CertificateOrdersTable,
  CertificatesTable,
  DomainsTable,
  FormerDomainsTable,
  FormerSubdomainsTable,
  LocalAuthorityTable,
  LostDomainsTable,
} from './schema/domains.ts';
import type { LogChunksTable, LogHeadsTable, LogPositionsTable, LogUsageTable } from './schema/logs.ts';
import type { LeadershipsTable, PlatformErrorsTable, PlatformVitalsTable } from './schema/platform.ts';
import type { MetricMinutesTable, MetricPendingQuartersTable, MetricQuartersTable } from './schema/metrics.ts';
import type { ApisTable, EdgesTable, MachinesTable, RateWindowsTable, RoutesTable } from './schema/routing.ts';
import type {
  VcsAttemptsTable,
  VcsBranchHeadsTable,
  VcsConnectionLinksTable,
  VcsConnectionsTable,
  VcsDeliveriesTable,
  VcsHooksTable,
  VcsHostsTable,
  VcsInstallationLinksTable,
  VcsInstallationsTable,
  VcsSetupLinkTable,
} from './schema/vcs.ts';

/** Every table, by its name. The columns are described by area, in `schema/`. */
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
  databases: DatabasesTable;
  database_servers: DatabaseServersTable;
  database_backups: DatabaseBackupsTable;
  database_imports: DatabaseImportsTable;
  database_links: DatabaseLinksTable;
  database_minutes: DatabaseMinutesTable;
  vcs_hosts: VcsHostsTable;
  vcs_setup_link: VcsSetupLinkTable;
  vcs_connections: VcsConnectionsTable;
  vcs_connection_links: VcsConnectionLinksTable;
  vcs_installations: VcsInstallationsTable;
  vcs_installation_links: VcsInstallationLinksTable;
  vcs_attempts: VcsAttemptsTable;
  vcs_hooks: VcsHooksTable;
  vcs_branch_heads: VcsBranchHeadsTable;
  vcs_deliveries: VcsDeliveriesTable;
  log_heads: LogHeadsTable;
  log_chunks: LogChunksTable;
  log_positions: LogPositionsTable;
  log_usage: LogUsageTable;
  metric_minutes: MetricMinutesTable;
  metric_quarters: MetricQuartersTable;
  metric_pending_quarters: MetricPendingQuartersTable;
  domains: DomainsTable;
  former_subdomains: FormerSubdomainsTable;
  former_domains: FormerDomainsTable;
  certificates: CertificatesTable;
  certificate_orders: CertificateOrdersTable;
  lost_domains: LostDomainsTable;
  acme_accounts: AcmeAccountsTable;
  acme_challenges: AcmeChallengesTable;
  local_authority: LocalAuthorityTable;
  routes: RoutesTable;
  edges: EdgesTable;
  apis: ApisTable;
  machines: MachinesTable;
  rate_windows: RateWindowsTable;
  activity_entries: ActivityEntriesTable;
  platform_errors: PlatformErrorsTable;
  platform_vitals: PlatformVitalsTable;
  leaderships: LeadershipsTable;
  organisation_counts: OrganisationCountsTable;
}

export type * from './schema/accounts.ts';
export type * from './schema/databases.ts';
export type * from './schema/deployments.ts';
export type * from './schema/domains.ts';
export type * from './schema/organisations.ts';
export type * from './schema/projects.ts';
export type * from './schema/routing.ts';
export type * from './schema/vcs.ts';
