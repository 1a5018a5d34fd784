import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from '../db/migrate.ts';
import { openStore, type Store } from '../db/pool.ts';
import { storeAddressOf } from '../store/store-address.ts';
import { StartRefused } from '../supervisor/start-refused.ts';
import type { RoleContext } from './run-role.ts';

const RETRY_MS = 50;
const COMPLAIN_EVERY_MS = 5000;
/** Waiting mends none of these: wrong password, no such user, no such database. */
const HOPELESS_CODES = new Set(['28P01', '28000', '3D000']);

/** The store, answering and at the newest schema. It may start later than this process, or restart meanwhile. */
export async function openRoleStore(context: RoleContext, name: string, connections: number): Promise<Store> {
  const { config, log } = context;
  const store = openStore(storeAddressOf(config), {
    max: connections,
    applicationName: name,
    onError: (error) => log.warn({ err: error }, 'A connection to the store was lost'),
  });
  await untilAnswering(store, context);
  const applied = await migrate(store.db);
  if (applied.length > 0) log.info({ migrations: applied }, 'The store was brought to the newest schema');
  return store;
}

async function untilAnswering(store: Store, { lifeline, log }: RoleContext): Promise<void> {
  let complainAt = Date.now() + COMPLAIN_EVERY_MS;
  for (;;) {
    try {
      (await store.pool.connect()).release();
      return;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code && HOPELESS_CODES.has(code)) throw new StartRefused(`The store refuses us: ${message}. ${advice(code)}`);
      if (Date.now() > complainAt) {
        complainAt = Date.now() + COMPLAIN_EVERY_MS;
        log.warn({ err: error }, 'Still waiting for the store');
      }
      await delay(RETRY_MS, undefined, { signal: lifeline.signal });
    }
  }
}

function advice(code: string): string {
  return code === '3D000'
    ? 'Create the database that LILAC_DATABASE_URL names.'
    : 'Check the user and the password in LILAC_DATABASE_URL, or, with the embedded store, secrets/store-password.';
}
