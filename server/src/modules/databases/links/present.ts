import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { DatabaseLinkRow } from '../../../db/schema.ts';
import type { ConnectedDatabase } from './link-store.ts';

export function presentLink(row: DatabaseLinkRow): OutputOf<Endpoints['databases.connect']> {
  const { database_id, environment_id, variable, created_at } = row;
  return { database_id, environment_id, variable, created_at: created_at.toISOString() };
}

export function presentConnected(row: ConnectedDatabase): OutputOf<Endpoints['environments.databases']>[number] {
  const { name, database_type, status } = row;
  return { ...presentLink(row), name, database_type, status };
}
