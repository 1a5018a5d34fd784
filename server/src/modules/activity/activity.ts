import type { KeyCaller, SessionCaller } from '../../http/handler.ts';

/** What people do in an organisation. An entry names the deed and what it was done to, never a value. */
export const actions = [
  'organisation_created',
  'organisation_renamed',
  'plan_updated',
  'member_invited',
  'invitation_revoked',
  'member_joined',
  'member_role_updated',
  'member_removed',
  'member_left',
  'operator_signed_in',
  'api_key_created',
  'api_key_revoked',
  'folder_created',
  'folder_renamed',
  'folder_deleted',
  'application_created',
  'application_renamed',
  'application_moved',
  'application_deleted',
  'environment_created',
  'environment_renamed',
  'environment_updated',
  'environment_vars_updated',
  'environment_deleted',
  'scaling_updated',
  'custom_domain_updated',
  'password_set',
  'password_removed',
  'access_log_enabled',
  'access_log_disabled',
  'deployment_started',
  'deployment_cancelled',
  'deployment_rolled_back',
  'database_created',
  'database_renamed',
  'database_updated',
  'database_moved',
  'database_provisioned',
  'database_password_rotated',
  'database_deleted',
  'database_dumped',
  'database_imported',
  'database_backed_up',
  'database_backup_failed',
  'database_restored',
  'database_connected',
  'database_disconnected',
  'database_row_changed',
  'database_table_changed',
  'database_statement_run',
] as const;
export type Action = (typeof actions)[number];

/** What the platform does by itself, and what its operator does at the command line, is nobody's account. */
export type HouseActor = 'operator' | 'platform';

/** A person, a key, or one of the house. */
export type Doer = Pick<SessionCaller, 'kind' | 'userId'> | KeyCaller | HouseActor;
