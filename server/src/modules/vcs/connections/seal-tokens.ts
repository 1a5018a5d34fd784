import type { VcsConnectionRow } from '../../../db/schema.ts';
import type { Keyring } from '../../../secrets/keyring.ts';
import type { PersonTokens } from '../../../vcs/vcs-host.ts';

const placeOf = (connectionId: string) => ({ table: 'vcs_connections', column: 'tokens', row: connectionId }) as const;

/** What is sealed for one connection opens in that one only. */
export function sealTokens(keyring: Keyring, connectionId: string, tokens: PersonTokens): string {
  const { accessToken, refreshToken, expiresAt } = tokens;
  return keyring.seal(JSON.stringify({ accessToken, refreshToken, expiresAt }), placeOf(connectionId));
}

export function openTokens(keyring: Keyring, { id, tokens }: Pick<VcsConnectionRow, 'id' | 'tokens'>): PersonTokens {
  return JSON.parse(keyring.open(tokens, placeOf(id))) as PersonTokens;
}
