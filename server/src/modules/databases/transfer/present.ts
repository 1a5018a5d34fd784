import type { OutputOf } from '@lilac/contract/endpoint';
import type { databases } from '@lilac/contract/databases';
import type { DatabaseBackupRow } from '../../../db/schema.ts';

export function presentBackup(backup: DatabaseBackupRow): OutputOf<(typeof databases)['databases.backup']> {
  const { id, database_id, purpose, status, size, error, started_at, completed_at, expires_at } = backup;
  return {
    id,
    database_id,
    automatic: purpose === 'automatic',
    status,
    size: size === null ? null : Number(size),
    error,
    started_at: started_at.toISOString(),
    completed_at: completed_at?.toISOString() ?? null,
    expires_at: expires_at?.toISOString() ?? null,
  };
}
