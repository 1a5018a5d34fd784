import { conflict, Fault } from '../../lib/fault.ts';
import { sha256 } from '../../lib/hash.ts';
import type { StoreDeps } from './accounts-deps.ts';
import { createOwner, type CreatedOwner } from './create-owner.ts';
import { consumeSetupToken, isSetupToken } from './setup-link-store.ts';
import { hasUsers } from './user-store.ts';

export interface SetUp {
  setupToken: string;
  email: string;
  password: string;
  firstName: string;
  organisationName: string;
}

/**
 * Creates the first owner. Whoever holds the link reads the machine's own output, so it is the operator,
 * who decides about plans anyway: the first organisation begins on one that has API keys.
 */
export async function setUpPlatform(deps: StoreDeps, { setupToken, ...owner }: SetUp): Promise<CreatedOwner> {
  const tokenHash = sha256(setupToken);
  // Asked here too, so that nobody without a link can make us hash passwords.
  if (!(await isSetupToken(deps.store.db, tokenHash))) throw unusableLink();
  return await createOwner(deps, { ...owner, plan: 'pro' }, async (tx) => {
    if (!(await consumeSetupToken(tx, tokenHash))) throw unusableLink();
    if (await hasUsers(tx)) throw conflict('This platform is set up already. Sign in, or ask for an invitation.');
  });
}

/** So that nobody fills in a form for nothing. Whoever holds no link learns nothing by it. */
export async function canSetUp({ store: { db } }: Pick<StoreDeps, 'store'>, setupToken: string): Promise<boolean> {
  return (await isSetupToken(db, sha256(setupToken))) && !(await hasUsers(db));
}

function unusableLink(): Fault {
  return new Fault('CA002', 'The set-up link was used before, or a newer one has replaced it.');
}
