import type { databases } from '@lilac/contract/databases';
import type { OutputOf } from '@lilac/contract/endpoint';
import type { DatabaseRow } from '../../db/schema.ts';
import type { DatabaseChange } from './database-change.ts';

type Outputs = { [Name in keyof typeof databases]: OutputOf<(typeof databases)[Name]> };

/** Never its credentials. */
export function presentDatabase(row: DatabaseRow): Outputs['databases.get'] {
  return {
    id: row.id,
    name: row.name,
    database_type: row.database_type,
    version: row.version,
    tier: row.tier,
    region: row.region,
    storage_gb: row.storage_gb,
    ha_enabled: row.ha_enabled,
    public_ip_enabled: row.public_ip_enabled,
    authorized_networks: row.authorized_networks,
    project_id: row.project_id,
    status: row.status,
    error: row.error,
    created_at: row.created_at.toISOString(),
  };
}

export function presentCreated(row: DatabaseRow): Outputs['databases.create'] {
  const { id, name, database_type, tier, status } = row;
  return { id, name, database_type, tier, status };
}

export const presentState = ({ id, status, error }: DatabaseRow): Outputs['databases.import'] => ({
  id,
  status,
  error,
});

export const presentStatus = (row: DatabaseRow): Outputs['databases.status'] => ({
  ...presentState(row),
  last_import:
    row.last_import_upload === null ? null : { upload_id: row.last_import_upload, error: row.last_import_error },
});

/** What the stream tells of it. */
export const presentProgress = ({ status, step, percent }: DatabaseRow) => ({ status, step, percent });

/** What was changed and nothing else; what its servers are to be may take a while yet. */
export function presentChange({
  database: { id, status },
  change: { name, servers },
}: {
  database: DatabaseRow;
  change: DatabaseChange;
}): Outputs['databases.update'] {
  return { id, status, ...(name !== null && { name }), ...servers };
}
