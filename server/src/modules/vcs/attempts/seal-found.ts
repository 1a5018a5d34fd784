import type { VcsAttemptRow } from '../../../db/schema.ts';
import type { Keyring } from '../../../secrets/keyring.ts';
import type { Found } from './find-at-host.ts';

const placeOf = (attemptId: string) => ({ table: 'vcs_attempts', column: 'found', row: attemptId }) as const;

/** What a person brought from the host, tokens and all, until they say yes. */
export function sealFound(keyring: Keyring, attemptId: string, found: Found): string {
  return keyring.seal(JSON.stringify(found), placeOf(attemptId));
}

export function openFound(keyring: Keyring, { id, found }: Pick<VcsAttemptRow, 'id' | 'found'>): Found | null {
  return found === null ? null : (JSON.parse(keyring.open(found, placeOf(id))) as Found);
}
