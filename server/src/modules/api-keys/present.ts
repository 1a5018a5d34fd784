import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { ApiKeyRow } from '../../db/schema.ts';

/** Never the hash. */
export function presentApiKey(row: ApiKeyRow): OutputOf<Endpoints['api-keys.list']>[number] {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    role: row.role,
    created_by: row.created_by,
    expires_at: row.expires_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

export function presentNewApiKey(row: ApiKeyRow, secret: string): OutputOf<Endpoints['api-keys.create']> {
  const { id, name, prefix, role, expires_at, created_at } = presentApiKey(row);
  return { id, name, prefix, role, expires_at, created_at, secret };
}
