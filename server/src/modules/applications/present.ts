import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { ApplicationRow } from '../../db/schema.ts';
import { applicationUrl } from './application.ts';

export type UrlConfig = Parameters<typeof applicationUrl>[0];

export function presentApplication(
  config: UrlConfig,
  row: ApplicationRow,
): OutputOf<Endpoints['applications.list']>['items'][number] {
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
