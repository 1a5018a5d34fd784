import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { ActivityRow } from '../../db/schema.ts';

export function presentActivity(row: ActivityRow): OutputOf<Endpoints['environments.activity']>[number] {
  return { id: row.id, action: row.action, actor_email: row.actor_email, created_at: row.created_at.toISOString() };
}
