import { parseArgs } from 'node:util';
import { readConfig } from '../../../../config.ts';
import { openStore, type Db, type Tx } from '../../../../db/pool.ts';
import { systemClock } from '../../../../lib/clock.ts';
import { silentLog } from '../../../../lib/log.ts';
import { createCollector } from '../collector.ts';
import { openOutputHost } from './output-host.ts';

/** A process that collects, for tests to kill; with `--crash` it kills itself where that hurts most. */
const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    root: { type: 'string' },
    rate: { type: 'string', default: '1000000' },
    crash: { type: 'boolean', default: false },
  },
});
const { db } = openStore({ kind: 'url', url: values.url! }, { max: 4, applicationName: 'a collecting program' });
const host = openOutputHost(values.root);
const config = readConfig({ LILAC_LOG_LINES_PER_SECOND: values.rate, LILAC_LOG_BYTES_PER_DAY: '1000000000000' });
const store = { db: values.crash ? crashing(db) : db };
createCollector({ store, config, runtime: host.runtime, clock: systemClock, log: silentLog }).start();
setInterval(() => host.trim(), 50);
process.stdout.write('ready\n');

function crashing(real: Db): Db {
  const execute = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    perhapsCrash();
    const result = await real.transaction().execute(async (tx) => {
      const done = await work(tx);
      perhapsCrash();
      return done;
    });
    perhapsCrash();
    return result;
  };
  return new Proxy(real, {
    get(target, name) {
      if (name === 'transaction') return () => ({ execute });
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function perhapsCrash(): void {
  if (Math.random() < 0.15) process.kill(process.pid, 'SIGKILL');
}
