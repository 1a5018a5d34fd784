import { statSync } from 'node:fs';
import { describePlace, openValue, rewrapValue, SealedValueError, sealValue, type SealingKey } from './envelope.ts';
import type { Keyring, SealedPlace } from './keyring.ts';
import { readOrCreateKeys, type StoredKeys } from './stored-keys.ts';

/** A keyring that can also move a value to the current key. */
export interface RotatingKeyring extends Keyring {
  currentKeyId(): string;
  rewrap(sealed: string, place: SealedPlace): string;
}

/**
 * The keyring of a key file, which is created (mode 0600) at first use. It notices when the file is
 * changed by another process, so nothing has to be restarted after a rotation.
 */
export function openKeyring(path: string): RotatingKeyring {
  let keys = loadKeys(path);
  const refresh = (): LoadedKeys => {
    const stamp = stampOf(path);
    // A key file that somebody moved away must not be replaced by a new one under a running process.
    if (stamp !== MISSING && stamp !== keys.stamp) keys = loadKeys(path);
    return keys;
  };
  const findFor = (place: SealedPlace) => (id: string) => {
    const key = keys.byId.get(id) ?? refresh().byId.get(id);
    if (key) return key;
    throw new SealedValueError(
      `The sealed value at ${describePlace(place)} needs key ${id}, which is not in the key file ${path}. ` +
        'Put back the key file that belongs to this store.',
    );
  };
  return {
    seal: (plaintext, place) => sealValue(refresh().current, plaintext, place),
    open: (sealed, place) => openValue(findFor(place), sealed, place),
    rewrap: (sealed, place) => rewrapValue({ find: findFor(place), to: refresh().current }, sealed, place),
    currentKeyId: () => refresh().current.id,
  };
}

interface LoadedKeys {
  stamp: string;
  current: SealingKey;
  byId: ReadonlyMap<string, SealingKey>;
}

/** The stamp is taken first: a change in between is then seen as one at the next look. */
function loadKeys(path: string): LoadedKeys {
  const stampBefore = stampOf(path);
  const stored = readOrCreateKeys(path);
  const byId = new Map(stored.keys.map((key) => [key.id, toSealingKey(key)]));
  return { stamp: stampBefore, byId, current: byId.get(stored.current)! };
}

function toSealingKey({ id, secret }: StoredKeys['keys'][number]): SealingKey {
  return { id, secret: Buffer.from(secret, 'base64') };
}

const MISSING = 'missing';

function stampOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.mode}` : MISSING;
}
