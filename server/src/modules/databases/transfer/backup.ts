import type { BackupPurpose, DatabaseRow } from '../../../db/schema.ts';

/** How long a dump that was asked for can be downloaded. */
export const DOWNLOAD_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Why one failed is remembered for so long. */
export const FAILURE_KEPT_MS = 7 * DAY_MS;

export const objectKeyOf = (organisationId: string, backupId: string): string =>
  `backups/${organisationId}/${backupId}.sql.gz`;

/** When it goes by itself; null: when somebody says so. */
export function expiryOf(
  purpose: BackupPurpose,
  completedAt: Date,
  { backupDays }: { backupDays: number },
): Date | null {
  const after = (ms: number) => new Date(completedAt.getTime() + ms);
  if (purpose === 'download') return after(DOWNLOAD_MS);
  if (purpose === 'automatic' || purpose === 'manual') return after(backupDays * DAY_MS);
  return null;
}

/** What a browser saves a dump as. */
export function fileNameOf({ name, database_name }: Pick<DatabaseRow, 'name' | 'database_name'>, at: Date): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^-+|-+$/g, '') || database_name;
  return `${plain}-${at.toISOString().slice(0, 16).replaceAll(':', '')}.sql.gz`;
}
