import { existsSync } from 'node:fs';
import type { Store } from '../db/pool.ts';
import { SealedValueError } from './envelope.ts';
import { openKeyring, type RotatingKeyring } from './key-file.ts';
import { hasPlatformSecrets, platformSecret } from './platform-secrets-store.ts';
import { KeyFileError } from './stored-keys.ts';

export interface ProvenKeyringOptions {
  store: Pick<Store, 'db'>;
  path: string;
}

/**
 * The keyring that belongs to this store. A store that knows no secret yet takes the one that is here, or a new one;
 * of two hosts that begin at once with a key each, one is refused.
 */
export async function openProvenKeyring({ store, path }: ProvenKeyringOptions): Promise<RotatingKeyring> {
  await refuseToReplace({ store, path });
  const keyring = openKeyring(path);
  try {
    await platformSecret({ store, keyring }, 'access-token-signing');
  } catch (cause) {
    if (!(cause instanceof SealedValueError)) throw cause;
    throw new KeyFileError(
      `The key file ${path} is not the one that the secrets in this store were sealed with. ${ADVICE}`,
      { cause },
    );
  }
  return keyring;
}

/** Throws where there is no key file although there are secrets that it would have to open. */
export async function refuseToReplace({ store, path }: ProvenKeyringOptions): Promise<void> {
  if (existsSync(path) || !(await hasPlatformSecrets(store))) return;
  // Another role of this host may have made both meanwhile: the file first.
  if (existsSync(path)) return;
  throw new KeyFileError(
    `The secrets in this store were sealed with a key, and there is no key file at ${path}. ${ADVICE}`,
  );
}

const ADVICE =
  'Every host of one platform needs the same key file: copy secrets/keyring.json from the LILAC_HOME of a host that ' +
  'runs (mode 0600), or name it with LILAC_KEYRING_FILE.';
