import { sql } from 'kysely';
import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { createLocalAuthority } from './local-authority.ts';

export const localAuthorityPlace = { table: 'local_authority', row: 'local', column: 'private_key' } as const;

/** With less time left another takes its place, which people have to trust anew. */
const LAST_DAYS = 120;

export interface StoredLocalAuthority {
  /** PEM. */
  certificate: string;
  /** Sealed PEM. */
  sealedKey: string;
}

export interface LocalAuthorityDeps {
  store: Pick<Store, 'db'>;
  keyring: Keyring;
  clock: Clock;
}

/** The installation's own, made when it is first asked for; processes that ask at the same moment get the same. */
export async function readOrCreateLocalAuthority(deps: LocalAuthorityDeps): Promise<StoredLocalAuthority> {
  return (await readFresh(deps)) ?? (await create(deps));
}

async function readFresh({ store, clock }: LocalAuthorityDeps): Promise<StoredLocalAuthority | undefined> {
  return store.db
    .selectFrom('local_authority')
    .select(['certificate', 'private_key as sealedKey'])
    .where('not_after', '>', lastDayOf(clock))
    .executeTakeFirst();
}

async function create(deps: LocalAuthorityDeps): Promise<StoredLocalAuthority> {
  const { store, keyring, clock } = deps;
  const { certificate, privateKey, notAfter } = createLocalAuthority(clock.now());
  const values = {
    certificate,
    private_key: keyring.seal(privateKey, localAuthorityPlace),
    not_after: notAfter,
  };
  await store.db
    .insertInto('local_authority')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ ...values, created_at: sql<Date>`now()` })
        .where('local_authority.not_after', '<=', lastDayOf(clock)),
    )
    .execute();
  // Not necessarily ours: the first wins.
  return (await readFresh(deps))!;
}

function lastDayOf(clock: Clock): Date {
  return new Date(clock.now().getTime() + LAST_DAYS * 86_400_000);
}
