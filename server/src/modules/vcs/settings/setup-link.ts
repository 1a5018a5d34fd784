import type { ConsolePath } from '@lilac/contract/console-paths';
import { Fault } from '../../../lib/fault.ts';
import { newToken, sha256 } from '../../../lib/hash.ts';
import { isSameBytes } from '../../../lib/same-text.ts';
import { throttleAttempt } from '../../accounts/throttle-attempt.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { findSetupLink, storeSetupLink } from './setup-link-store.ts';

export const SETUP_PAGE: ConsolePath = '/repository-hosts';
const GOOD_FOR_MS = 60 * 60 * 1000;

type LinkDeps = Pick<VcsDeps, 'store' | 'config' | 'clock'>;

/**
 * A new link to the page where hosts are set up, in place of an earlier one. The token stands in the fragment, which
 * browsers send to nobody, so no log ever holds it.
 */
export async function issueVcsSetupLink({ store, config, clock }: LinkDeps): Promise<{ url: string; expiresAt: Date }> {
  const token = newToken();
  const expiresAt = new Date(clock.now().getTime() + GOOD_FOR_MS);
  await storeSetupLink(store.db, { token_hash: sha256(token), expires_at: expiresAt });
  return { url: new URL(`${SETUP_PAGE}#${token}`, config.publicUrl).href, expiresAt };
}

/** Throws CA002 unless the token is that of the newest link, and young enough. */
export async function requireVcsSetupToken(
  deps: Pick<VcsDeps, 'store' | 'clock'>,
  { setupToken, address }: { setupToken: string; address: string },
): Promise<void> {
  await throttleAttempt(deps, { purpose: 'vcs-setup', address, account: 'operator' }, async () => {
    const link = await findSetupLink(deps.store.db);
    const isTheirs = link !== undefined && isSameBytes(link.token_hash, sha256(setupToken));
    if (!isTheirs || link.expires_at <= deps.clock.now()) throw unusableLink();
  });
}

function unusableLink(): Fault {
  return new Fault(
    'CA002',
    'The link has expired, or a newer one has replaced it. "lilac admin vcs setup" prints a new one.',
  );
}
