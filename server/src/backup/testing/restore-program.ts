import { parseArgs } from 'node:util';
import { openObjects } from '../../artifacts/testing/open-objects.ts';
import { openStore } from '../../db/pool.ts';
import { systemClock } from '../../lib/clock.ts';
import { restoreBackup } from '../restore-backup.ts';

/** A restore for tests to kill: `node restore-program.ts --url … --path … --keys … --objects …`. */
const { values } = parseArgs({
  options: { url: { type: 'string' }, path: { type: 'string' }, keys: { type: 'string' }, objects: { type: 'string' } },
});
const store = openStore({ kind: 'url', url: values.url! }, { max: 1, applicationName: 'restore' });
const objects = openObjects(values.objects!);
await restoreBackup({ store, objects, keyFile: values.keys!, clock: systemClock, path: values.path!, replace: true });
await store.close();
