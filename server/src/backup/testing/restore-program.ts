import { parseArgs } from 'node:util';
import { openStore } from '../../db/pool.ts';
import { systemClock } from '../../lib/clock.ts';
import { restoreBackup } from '../restore-backup.ts';

/** A restore for tests to kill: `node restore-program.ts --url … --path … --keys …`. */
const { values } = parseArgs({
  options: { url: { type: 'string' }, path: { type: 'string' }, keys: { type: 'string' } },
});
const store = openStore({ kind: 'url', url: values.url! }, { max: 1, applicationName: 'restore' });
await restoreBackup({ store, keyFile: values.keys!, clock: systemClock, path: values.path!, replace: true });
await store.close();
