import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { DeploymentRow, EnvironmentRow } from '../../db/schema.ts';
import { applicationUrl } from '../applications/application.ts';
import type { HostsConfig } from './subdomain.ts';

export type Environment = OutputOf<Endpoints['environments.list']>[number];

export function presentEnvironment(config: HostsConfig, row: EnvironmentRow): Environment {
  return {
    id: row.id,
    application_id: row.application_id,
    name: row.name,
    vcs_branch: row.vcs_branch,
    is_production: row.is_production,
    status: row.status,
    url: applicationUrl(config, row.subdomain),
    custom_domain: row.custom_domain,
    auto_deploy: row.auto_deploy,
    build_command: row.build_command,
    output_directory: row.output_directory,
    container_port: row.container_port,
    memory: row.memory,
    cpu: row.cpu,
    region: row.region,
    min_instances: row.min_instances,
    max_instances: row.max_instances,
    password_protected: row.password_hash !== null,
    access_log: row.access_log,
    trouble: row.trouble,
    live_deployment_id: row.live_deployment_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** What whoever started a deployment is told of it. */
export function presentStarted(row: DeploymentRow): OutputOf<Endpoints['environments.deploy']> {
  return {
    id: row.id,
    environment_id: row.environment_id,
    status: row.status,
    commit_sha: row.commit_sha,
    started_at: row.created_at.toISOString(),
  };
}
