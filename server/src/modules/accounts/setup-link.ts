import { newToken, sha256 } from '../../lib/hash.ts';
import type { AccountsDeps } from './accounts-deps.ts';
import { storeSetupToken } from './setup-link-store.ts';

/**
 * A new one-time link that creates the first owner, in place of an earlier one; null once somebody has an
 * account. The token stands in the fragment, which browsers send to nobody, so no log ever holds it.
 */
export async function issueSetupLink({
  store,
  config,
}: Pick<AccountsDeps, 'store' | 'config'>): Promise<string | null> {
  const token = newToken();
  const isStored = await storeSetupToken(store.db, sha256(token));
  return isStored ? new URL(`/setup#${token}`, config.publicUrl).href : null;
}
