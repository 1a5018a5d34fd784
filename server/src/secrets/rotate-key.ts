import type { Store } from '../db/pool.ts';
import type { Clock } from '../lib/clock.ts';
import { describePlace, SealedValueError } from './envelope.ts';
import { openKeyring, type RotatingKeyring } from './key-file.ts';
import type { SealedPlace } from './keyring.ts';
import { sealedColumns, type SealedColumn } from './sealed-columns.ts';
import { listKeysInUse, listSealedByOtherKeys, replaceSealed, type SealedRow } from './sealed-values-store.ts';
import { newStoredKey, updateKeys, type StoredKeys } from './stored-keys.ts';

export interface RotationDeps {
  store: Pick<Store, 'db'>;
  keyFile: string;
  clock: Clock;
}

export interface RotationReport {
  /** The key that everything is sealed with now. */
  keyId: string;
  /** An earlier rotation was cut short, and this one finished it. */
  resumed: boolean;
  rewrapped: number;
  /** Keys that left the key file: long retired, and no value needs them. */
  dropped: string[];
  /** Places whose value opens with no key we have. They are left as they are. */
  unreadable: string[];
}

/**
 * Seals everything with a new key. The new key is in the key file before any value needs it, and the
 * old one stays there as retired, so every value can be read at every moment; a run that was killed is
 * finished by the next.
 */
export async function rotateKey(deps: RotationDeps): Promise<RotationReport> {
  const { keyId, resumed } = await beginRotation(deps);
  const { rewrapped, unreadable } = await rewrapAll(deps);
  const dropped = await endRotation(deps);
  return { keyId, resumed, rewrapped, dropped, unreadable };
}

export async function beginRotation({
  keyFile,
  clock,
}: Pick<RotationDeps, 'keyFile' | 'clock'>): Promise<{ keyId: string; resumed: boolean }> {
  let resumed = false;
  const { current } = await updateKeys(keyFile, (stored) => {
    resumed = stored.isRotating;
    return resumed ? stored : withNewKey(stored, clock.now());
  });
  return { keyId: current, resumed };
}

/** Goes round until a round finds nothing: another process may have used the old key just before it saw the new one. */
export async function rewrapAll(deps: RotationDeps): Promise<{ rewrapped: number; unreadable: string[] }> {
  const keyring = openKeyring(deps.keyFile);
  const unreadable = new Set<string>();
  let rewrapped = 0;
  for (let found = 1; found > 0; rewrapped += found) {
    found = 0;
    for (const column of sealedColumns) found += await rewrapColumn(deps, { keyring, column, unreadable });
  }
  return { rewrapped, unreadable: [...unreadable] };
}

export async function endRotation({ store, keyFile, clock }: RotationDeps): Promise<string[]> {
  const used = await listKeysInUse(store);
  const droppedBefore = clock.now().getTime() - RETIREMENT_MS;
  const isNeeded = (key: StoredKeys['keys'][number]) =>
    key.retiredAt === null || used.has(key.id) || Date.parse(key.retiredAt) > droppedBefore;
  let dropped: string[] = [];
  await updateKeys(keyFile, (stored) => {
    dropped = stored.keys.filter((key) => !isNeeded(key)).map((key) => key.id);
    return { ...stored, isRotating: false, keys: stored.keys.filter(isNeeded) };
  });
  return dropped;
}

/** A transaction that sealed with the old key and is still open does not show yet; none is open for a day. */
const RETIREMENT_MS = 24 * 60 * 60 * 1000;
const BATCH_ROWS = 500;

function withNewKey(stored: StoredKeys, now: Date): StoredKeys {
  const key = newStoredKey(now);
  const retired = stored.keys.map((old) => ({ ...old, retiredAt: old.retiredAt ?? now.toISOString() }));
  return { ...stored, current: key.id, isRotating: true, keys: [...retired, key] };
}

interface ColumnRun {
  keyring: RotatingKeyring;
  column: SealedColumn;
  unreadable: Set<string>;
}

async function rewrapColumn(deps: RotationDeps, { keyring, column, unreadable }: ColumnRun): Promise<number> {
  let rewrapped = 0;
  for (let after = ''; ;) {
    const keyId = keyring.currentKeyId();
    const rows = await listSealedByOtherKeys(deps.store, column, { keyId, after, limit: BATCH_ROWS });
    const last = rows.at(-1);
    if (!last) return rewrapped;
    const changes = rows.flatMap((row) => rewrapRow(row, { keyring, column, unreadable }));
    rewrapped += await replaceSealed(deps.store, column, changes);
    after = last.row;
  }
}

function rewrapRow(row: SealedRow, { keyring, column, unreadable }: ColumnRun): (SealedRow & { resealed: string })[] {
  const place = { table: column.table, column: column.column, row: row.row } as SealedPlace;
  try {
    return [{ ...row, resealed: keyring.rewrap(row.sealed, place) }];
  } catch (error) {
    if (!(error instanceof SealedValueError)) throw error;
    unreadable.add(describePlace(place));
    return [];
  }
}
