import type { Lilac, TokenPair } from '@lilac/sdk';

/** The platform forgets the session; its access token is good for some minutes more. */
export async function endSession(lilac: Pick<Lilac, 'call'>, { refreshToken }: TokenPair): Promise<void> {
  await lilac.call('auth.logout', { body: { refreshToken } });
}
