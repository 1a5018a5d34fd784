import { parseArgs } from 'node:util';
import { readConfig } from '../../../../config.ts';
import { openStore } from '../../../../db/pool.ts';
import { systemClock } from '../../../../lib/clock.ts';
import { silentLog } from '../../../../lib/log.ts';
import { createCollector } from '../collector.ts';
import { openOutputHost } from './output-host.ts';

/** A process that collects, for tests to kill. */
const { values } = parseArgs({
  options: { url: { type: 'string' }, root: { type: 'string' }, rate: { type: 'string', default: '1000000' } },
});
const store = openStore({ kind: 'url', url: values.url! }, { max: 4, applicationName: 'a collecting program' });
const host = openOutputHost(values.root);
const config = readConfig({ LILAC_LOG_LINES_PER_SECOND: values.rate, LILAC_LOG_BYTES_PER_DAY: '1000000000000' });
createCollector({ store, config, runtime: host.runtime, clock: systemClock, log: silentLog }).start();
setInterval(() => host.trim(), 50);
process.stdout.write('ready\n');
