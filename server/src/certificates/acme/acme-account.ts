import type { Store } from '../../db/pool.ts';
import { newId } from '../../lib/ids.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { newPrivateKey } from '../new-private-key.ts';
import { findAccount, insertAccount, setAccountUrl } from './acme-account-store.ts';

/** The platform's account at an authority. */
export interface AcmeAccount {
  /** PEM. */
  key: string;
  /** By which the authority knows it; null: it does not yet. */
  url: string | null;
  noteUrl(url: string): Promise<void>;
}

export interface AccountDeps {
  store: Pick<Store, 'db'>;
  keyring: Keyring;
}

/** Made once, for all processes. */
export async function openAccount(deps: AccountDeps, directoryUrl: string): Promise<AcmeAccount> {
  const { keyring, store } = deps;
  const row = (await findAccount(store.db, directoryUrl)) ?? (await makeAccount(deps, directoryUrl));
  return {
    key: keyring.open(row.account_key, placeOf(row.id)),
    url: row.account_url,
    noteUrl: (url) => setAccountUrl(store.db, row.id, url),
  };
}

async function makeAccount({ store, keyring }: AccountDeps, directoryUrl: string) {
  const id = newId('acm');
  await insertAccount(store.db, { id, directoryUrl, sealedKey: keyring.seal(newPrivateKey(), placeOf(id)) });
  return (await findAccount(store.db, directoryUrl))!;
}

const placeOf = (row: string) => ({ table: 'acme_accounts', column: 'account_key', row }) as const;
