import type {
  ApplicationStatus,
  DeploymentType,
  EnvironmentStatus,
  GitProvider,
  SourceType,
  UploadStatus,
} from '@lilac/contract/states';
import type { Selectable } from 'kysely';
import type { Defaulted, Maybe, MaybeBigInteger, MaybeJson, MaybeTimestamp, Timestamp } from './column-types.ts';

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
  provider1_repo_id: MaybeBigInteger;
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
  /** Of the repository at its host, in lower case: `owner/name`. */
  repository_path: Maybe<string>;
  /** Why its host could not be made to tell of pushes. */
  push_trouble: Maybe<string>;
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
  hides_subdomain: Defaulted<boolean>;
  live_deployment_id: Maybe<string>;
  trouble: Maybe<string>;
  password_hash: Maybe<string>;
  access_log: Defaulted<boolean>;
  /** Because a branch was pushed, not by a person. */
  made_by_push: Defaulted<boolean>;
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

export interface ActivityEntriesTable {
  id: string;
  organisation_id: string;
  application_id: Maybe<string>;
  environment_id: Maybe<string>;
  database_id: Maybe<string>;
  deployment_id: Maybe<string>;
  action: string;
  actor_email: string;
  subject: Maybe<string>;
  is_repeated: Defaulted<boolean>;
  created_at: Timestamp;
}

export type ProjectRow = Selectable<ProjectsTable>;
export type ApplicationRow = Selectable<ApplicationsTable>;
export type EnvironmentRow = Selectable<EnvironmentsTable>;
export type UploadRow = Selectable<UploadsTable>;
export type ActivityRow = Selectable<ActivityEntriesTable>;
