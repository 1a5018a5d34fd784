import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { findUnbearable, unknownMigrations } from '../db/newer-schema.ts';
import { openStore, type PoolOptions, type Store } from '../db/pool.ts';
import type { Log } from '../lib/log.ts';
import { storeAddressOf } from '../store/store-address.ts';
import { StartRefused } from '../supervisor/start-refused.ts';
import type { RoleContext } from './run-role.ts';

/**
 * A store that is just starting is there in a moment; one that is not is asked seldom, by all processes of all hosts.
 */
const RETRY_MS = 50;
const LATE_RETRY_MS = 1000;
const COMPLAIN_EVERY_MS = 5000;
/** A backup may take hours. */
const TELL_EVERY_MS = 60_000;
/** Waiting mends none of these: wrong password, no such user, no such database. */
const HOPELESS_CODES = new Set(['28P01', '28000', '3D000']);

/** The store, answering and at the newest schema. It may start later than this process, or restart meanwhile. */
export async function openRoleStore(
  context: RoleContext,
  options: Pick<PoolOptions, 'applicationName' | 'max' | 'idleMs' | 'kept'>,
): Promise<Store> {
  const { config, log } = context;
  const store = openStore(storeAddressOf(config), {
    ...options,
    onError: (error) => log.warn({ err: error }, 'A connection to the store was lost'),
  });
  await untilAnswering(store, context);
  await bringUpToDate(store, context);
  return store;
}

/**
 * For a role that serves without the store: of a newer program, whichever role comes first brings it up to date. Waits
 * a little for a store that answers; one that does not (false) is brought up to date when it does.
 */
export async function bringUpToDateSoon(store: Store, context: RoleContext, patienceMs: number): Promise<boolean> {
  const done = untilAnswering(store, context).then(
    () => bringUpToDate(store, context).then(() => true),
    // It refuses us, or this role is told to stop: others say so.
    () => false,
  );
  done.catch((error: unknown) => {
    if (context.lifeline.signal.aborted) return;
    context.log.error({ err: error }, 'This edge cannot work with the store as it is');
  });
  return Promise.race([done, delay(patienceMs, false, { ref: false })]);
}

/**
 * Whoever comes first with a newer program does it, as soon as nobody is in the way; who finds a newer store goes on if
 * it can.
 */
async function bringUpToDate(store: Store, { log, lifeline: { signal } }: RoleContext): Promise<void> {
  const unknown = await unknownMigrations(store.db);
  if (unknown.length > 0) {
    refuseIfTooOld(unknown);
    log.info({ migrations: unknown }, 'The store is that of a newer program, which this one can work with');
    return;
  }
  const applied = await migrate(store.db, { onWait: tellerOf(log), signal });
  if (applied.length === 0) return;
  log.info({ migrations: applied.length, newest: applied.at(-1) }, 'The store was brought to the newest schema');
}

/** At once, and then now and then. */
function tellerOf(log: Log): (why: string) => void {
  let tellAt = -Infinity;
  return (why) => {
    if (performance.now() < tellAt) return;
    tellAt = performance.now() + TELL_EVERY_MS;
    log.warn(`Waiting to bring the store to the newest schema: ${why}`);
  };
}

/** What a newer program has only added is borne; see newer-schema.ts. */
function refuseIfTooOld(unknown: readonly string[]): void {
  const unbearable = findUnbearable(unknown);
  if (!unbearable) return;
  throw new StartRefused(
    `This program is too old for the store, which had the migration ${unbearable}. Start the version of the other ` +
      'hosts, or restore the backup that was made before the upgrade.',
  );
}

async function untilAnswering(store: Store, { config, lifeline, log }: RoleContext): Promise<void> {
  let complainAt = Date.now() + COMPLAIN_EVERY_MS;
  for (let retryMs = RETRY_MS; ;) {
    try {
      (await store.pool.connect()).release();
      return;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code && HOPELESS_CODES.has(code)) throw new StartRefused(`The store refuses us: ${message}. ${advice(code)}`);
      if (Date.now() > complainAt) {
        complainAt = Date.now() + COMPLAIN_EVERY_MS;
        retryMs = LATE_RETRY_MS;
        log.warn(`Still waiting for ${nameStore(config)}: ${reasonOf(error)}`);
      }
      await delay(retryMs, undefined, { signal: lifeline.signal });
    }
  }
}

/** Without what may be secret in the setting: the user and the password. */
export function nameStore({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  if (databaseUrl === null) return 'the embedded store';
  const url = URL.parse(databaseUrl);
  const place = url ? ` (${url.searchParams.get('host') ?? url.host}${url.pathname})` : '';
  return `the PostgreSQL that LILAC_DATABASE_URL names${place}`;
}

/** Where a name has several addresses, the message is empty, and the code says it. */
function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return message || (code ?? 'no answer');
}

function advice(code: string): string {
  return code === '3D000'
    ? 'Create the database that LILAC_DATABASE_URL names.'
    : 'Check the user and the password in LILAC_DATABASE_URL, or, with the embedded store, secrets/store-password.';
}
