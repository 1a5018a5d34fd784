import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { ActivityRow } from '../../db/schema.ts';

export function presentActivity(row: ActivityRow): OutputOf<Endpoints['environments.activity']>[number] {
  return {
    id: row.id,
    action: row.action,
    actor_email: row.actor_email,
    deployment_id: row.deployment_id,
    created_at: row.created_at.toISOString(),
  };
}

export function presentForOrganisation(row: ActivityRow): OutputOf<Endpoints['organisations.activity']>[number] {
  return {
    ...presentActivity(row),
    application_id: row.application_id,
    environment_id: row.environment_id,
    database_id: row.database_id,
    subject: row.subject,
  };
}
