/**
 * A host that leads and is in the middle of everything it could hold the store's locks by: `<url>`. Then it writes a
 * line and waits for its end.
 */
import { COLLECTION_HOLD } from '../../db/collection-hold.ts';
import { openStore, type Tx } from '../../db/pool.ts';
import { silentLog } from '../../lib/log.ts';
import { publishRoute } from '../../routing/route-store.ts';
import { createLeaderships } from '../leaderships.ts';
import { createWorker } from '../worker.ts';
import { BUSY_LOCK, LATE_LOCK, STARTING_LOCK } from './vanishing-locks.ts';
import { sql } from 'kysely';

const [url = ''] = process.argv.slice(2);
const store = openStore({ kind: 'url', url }, { max: 5, applicationName: 'vanishing' });
const leaderships = createLeaderships({
  worker: 'vanishing',
  host: 'vanishing',
  log: silentLog,
  reach: { instances: 'free', databases: 'none' },
  onGain: () => {},
  onLoss: () => {},
});
await createWorker({ store, log: silentLog, name: 'vanishing', handlers: [], leaderships }).start();

/** Comes as far as its last statement, whose answer is waited for where that has one. */
const begin = (work: (tx: Tx) => Promise<unknown>) =>
  new Promise<void>((resolve, reject) => {
    const whole = store.db.transaction().execute(async (tx) => {
      await work(tx);
      resolve();
      await new Promise(() => setInterval(() => {}, 60_000));
    });
    whole.catch(reject);
  });
const take = (tx: Tx, lock: number) => sql`select pg_advisory_xact_lock(${lock})`.execute(tx);

await begin(async (tx) => {
  await leaderships.of('instances').hold(tx);
  await publishRoute(tx, { environmentId: 'env_1', subdomain: 'one' });
});
await begin(async (tx) => {
  await take(tx, BUSY_LOCK);
  void sql`select pg_sleep(3600)`.execute(tx);
});
await begin(async (tx) => {
  await take(tx, LATE_LOCK);
  void take(tx, STARTING_LOCK);
});
const backup = store.newClient();
await backup.connect();
await backup.query('select pg_advisory_lock_shared($1)', [COLLECTION_HOLD]);
process.stdout.write('holds everything\n');
