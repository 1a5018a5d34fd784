import { readConfig } from '../../../config.ts';
import { silentLog } from '../../../lib/log.ts';
import { createServerHost } from '../create-server-host.ts';
import { smallSize } from './host-bench.ts';

/**
 * A platform to be killed: `serve` starts a server in the home and waits; `churn` makes, grows, starts and removes one
 * again and again. Prints a line as soon as it has begun. With the socket of an engine servers are services of its swarm.
 */
const [home = '', what = '', script = 'sleep 1000', socket] = process.argv.slice(2);
const { runtime } = readConfig({
  LILAC_HOME: home,
  ...(socket && { LILAC_RUNTIME: 'swarm', LILAC_DOCKER_HOST: `unix://${socket}` }),
});
const host = createServerHost({ config: { home, runtime }, log: silentLog });
const wants = { type: 'postgresql', databaseId: 'db_1', size: smallSize } as const;
const program = { argv: ['/bin/sh', '-c', script] as const };
await host.open();
if (what === 'serve') {
  await host.launch(await host.take('dbs_1', wants), program);
  console.log('serves');
  setInterval(() => {}, 1000);
} else {
  console.log('churns');
  for (;;) {
    const place = await host.take('dbs_1', wants);
    await host.launch(place, program);
    await host.grow('dbs_1', 2);
    await host.remove('dbs_1');
  }
}
