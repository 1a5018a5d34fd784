import type { OutputOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import { byteSize } from '../terminal/byte-size.ts';
import type { Fields } from '../terminal/render-cell.ts';
import { renderTable } from '../terminal/render-list.ts';
import type { Paper } from '../terminal/render.ts';

export type Backup = OutputOf<Endpoints['databases.backup']>;

/** Which one, whether it can be used, and what it is; they all are of the database that was named. */
export function presentBackup({ id, status, size, started_at, expires_at, automatic, error }: Backup): Fields {
  return {
    id,
    status,
    ...(size !== null && { size: byteSize(size) }),
    started_at,
    ...(expires_at !== null && { kept_until: expires_at }),
    made: automatic ? 'daily' : 'by hand',
    ...(error !== null && { error }),
  };
}

export function renderBackups(backups: readonly Backup[], { width }: Paper): string {
  return backups.length === 0 ? 'None.' : renderTable(backups.map(presentBackup), width);
}
