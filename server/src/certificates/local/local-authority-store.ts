import { sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Store } from '../../db/pool.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Keyring } from '../../secrets/keyring.ts';
import { createLocalAuthority } from './local-authority.ts';
import { permittedNamesOf } from './own-names.ts';
import { isBoundTo } from './permitted-names.ts';

export const localAuthorityPlace = { table: 'local_authority', row: 'local', column: 'private_key' } as const;

/** With less time left another takes its place, which people have to trust anew. */
const LAST_MS = 120 * 86_400_000;

export interface StoredLocalAuthority {
  /** PEM. */
  certificate: string;
  /** Sealed PEM. */
  sealedKey: string;
}

export interface LocalAuthorityDeps {
  store: Pick<Store, 'db'>;
  config: Pick<Config, 'publicUrl' | 'appsDomain' | 'domains'>;
  keyring: Keyring;
  clock: Clock;
  log: Log;
}

/**
 * The installation's own, made when it is first asked for; processes that ask at the same moment get the same. One that
 * is about to end, or that may sign for more or less than this installation has, gives way to another.
 */
export async function readOrCreateLocalAuthority(deps: LocalAuthorityDeps): Promise<StoredLocalAuthority> {
  const stored = await read(deps);
  if (stored && isFit(deps, stored)) return plain(stored);
  const isOurs = await create(deps, stored?.certificate ?? null);
  if (isOurs && stored) tellReplaced(deps);
  // Not necessarily ours: the first wins.
  return plain((await read(deps))!);
}

/** As it is, for who only shows it; undefined: there is none yet. */
export async function readLocalAuthority(store: Pick<Store, 'db'>): Promise<StoredLocalAuthority | undefined> {
  const stored = await read({ store });
  return stored && plain(stored);
}

interface Row extends StoredLocalAuthority {
  notAfter: Date;
}

const plain = ({ certificate, sealedKey }: Row): StoredLocalAuthority => ({ certificate, sealedKey });

function read({ store }: Pick<LocalAuthorityDeps, 'store'>): Promise<Row | undefined> {
  return store.db
    .selectFrom('local_authority')
    .select(['certificate', 'private_key as sealedKey', 'not_after as notAfter'])
    .executeTakeFirst();
}

function isFit({ clock, config }: LocalAuthorityDeps, { certificate, notAfter }: Row): boolean {
  return notAfter.getTime() > clock.now().getTime() + LAST_MS && isBoundTo(certificate, permittedNamesOf(config));
}

/** In place of the given one, unless another took that already. Whether it was done. */
async function create({ store, keyring, clock, config }: LocalAuthorityDeps, before: string | null): Promise<boolean> {
  const { certificate, privateKey, notAfter } = createLocalAuthority(clock.now(), permittedNamesOf(config));
  const values = { certificate, private_key: keyring.seal(privateKey, localAuthorityPlace), not_after: notAfter };
  const written = await store.db
    .insertInto('local_authority')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ ...values, created_at: sql<Date>`now()` })
        .where('local_authority.certificate', '=', before ?? ''),
    )
    .returning('id')
    .executeTakeFirst();
  return written !== undefined;
}

function tellReplaced({ log }: LocalAuthorityDeps): void {
  log.warn(
    'The root certificate of local names was replaced, since the old one was about to end or was not bound to the names ' +
      'of this installation. Where the old one is trusted, remove it and trust the new one: lilac admin certificates root',
  );
}
