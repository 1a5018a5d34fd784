import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { ApplicationRow } from '../../db/schema.ts';
import type { PushStanding } from '../vcs/hooks/push-standing.ts';
import type { EnvironmentSummary, NamedDeployment, ProductionSummary } from './application-store.ts';
import { applicationUrl } from './application.ts';

export type UrlConfig = Parameters<typeof applicationUrl>[0];

type ListedApplication = OutputOf<Endpoints['applications.list']>['items'][number];

export function presentListed(
  config: UrlConfig,
  row: ApplicationRow,
  production: ProductionSummary | undefined,
): ListedApplication {
  const last = production?.lastDeployment;
  const live = production?.liveDeployment;
  return {
    ...presentApplication(config, row),
    production_environment_id: production?.environmentId ?? null,
    last_deployment: last ? { ...presentNamed(last), status: last.status } : null,
    live_deployment: live ? { ...presentNamed(live), is_rolled_back: live.isRolledBack } : null,
  };
}

function presentNamed(row: NamedDeployment): Omit<NonNullable<ListedApplication['live_deployment']>, 'is_rolled_back'> {
  const { id, commit_sha, commit_message, upload_name, created_at } = row;
  return { id, commit_sha, commit_message, upload_name, started_at: created_at.toISOString() };
}

export function presentApplication(
  config: UrlConfig,
  row: ApplicationRow,
): Omit<ListedApplication, 'production_environment_id' | 'last_deployment' | 'live_deployment'> {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    deployment_type: row.deployment_type,
    framework: row.framework,
    runtime: row.runtime,
    vcs_repo_url: row.vcs_repo_url,
    vcs_branch: row.vcs_branch,
    source_type: row.source_type,
    status: row.status,
    url: applicationUrl(config, row.slug),
    project_id: row.project_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentWithEnvironments(
  config: UrlConfig,
  row: ApplicationRow,
  { environments, pushes }: { environments: EnvironmentSummary[]; pushes: PushStanding },
): OutputOf<Endpoints['applications.get']> {
  return {
    ...presentApplication(config, row),
    git_provider: row.git_provider,
    is_private: row.is_private,
    build_command: row.build_command,
    output_directory: row.output_directory,
    start_command: row.start_command,
    root_directory: row.root_directory,
    container_port: row.container_port,
    memory: row.memory,
    cpu: row.cpu,
    concurrency: row.concurrency,
    cpu_target: row.cpu_target,
    region: row.region,
    auto_deploy_on_push: row.auto_deploy_on_push,
    auto_deploy_branches: row.auto_deploy_branches,
    auto_delete_stale_envs: row.auto_delete_stale_envs,
    push_status: pushes.status,
    push_trouble: pushes.trouble,
    environments,
  };
}
