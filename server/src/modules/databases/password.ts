import type { DatabaseRow } from '../../db/schema.ts';
import type { Keyring } from '../../secrets/keyring.ts';

type Sealed = 'admin_password' | 'next_password';

const placeOf = (databaseId: string, column: Sealed) => ({ table: 'databases', column, row: databaseId }) as const;

/** What is sealed for one of the two columns opens in that one only. */
export function sealPassword(
  keyring: Keyring,
  { databaseId, column, password }: { databaseId: string; column: Sealed; password: string },
): string {
  return keyring.seal(password, placeOf(databaseId, column));
}

/** The one that clients use. */
export function openPassword(
  keyring: Keyring,
  { id, admin_password }: Pick<DatabaseRow, 'id' | 'admin_password'>,
): string {
  return keyring.open(admin_password, placeOf(id, 'admin_password'));
}

/** The one that a rotation under way is to set; null when there is none. */
export function openNextPassword(
  keyring: Keyring,
  { id, next_password }: Pick<DatabaseRow, 'id' | 'next_password'>,
): string | null {
  return next_password === null ? null : keyring.open(next_password, placeOf(id, 'next_password'));
}
