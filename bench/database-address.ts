/**
 * What does the way to a database cost? pgbench through the address that the API gives, against the same server
 * reached at its own port: as it is created, and with high availability after a failover, when the address leads to
 * another server. In the first case nothing lies between them, which is what is to be held. Both at the same moment,
 * medians of transactions a second: whatever else the machine does then, it does to both.
 */
import { openDatabaseWorld } from '../e2e/database-world.ts';
import { connectTo } from '../e2e/databases.ts';
import { mainProcesses, primaryOf, serversOf } from '../e2e/database-servers.ts';
import { until } from '../e2e/platform.ts';
import { run } from '../server/src/lib/exec.ts';
import { requirePrograms } from './edge-static/programs.ts';
import { median } from './measuring/median.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';

const ROUNDS = roundsOf(21);
const SECONDS = 4;
/** At each of the two. */
const CLIENTS = 4;

await requirePrograms({ pgbench: 'postgresql-contrib' });
await using world = await openDatabaseWorld({ LILAC_LOG_LEVEL: 'warn' });
const { platform, databases } = world;

const plain = await databases.create('Plain', { tier: 'db-custom-2-4096' });
await databases.settled(plain);
await compare('without a standby', await databases.url(plain), 0.95);
await databases.remove(plain);

const available = await databases.create('Available', { tier: 'db-custom-2-4096', haEnabled: true });
await databases.settled(available);
const url = await databases.url(available);
const first = await primaryOf(platform.home, url);
process.kill(first.pid, 'SIGKILL');
await until('another one has taken over', async () => {
  const now = await primaryOf(platform.home, url).catch(() => first);
  const { status } = await databases.get(available);
  if (now.serverId === first.serverId) return false;
  return status === 'healthy' && serversOf(platform.home).length === 2 && mainProcesses(platform.home).length === 2;
});
await compare('with a standby, after a failover', url, 0.9);

async function compare(what: string, given: string, target: number): Promise<void> {
  const connection = await connectTo(given);
  const [[port]] = (await connection.query('select inet_server_port()')) as [[number]];
  await connection.close();
  const direct = new URL(given);
  direct.hostname = '127.0.0.1';
  direct.port = String(port);
  await pgbench(given, ['-i', '-s', '5', '-q']);
  const rates: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round++) {
    // Whoever begins a moment earlier has the machine alone for that, so that each is the first in turn.
    const order = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    const beside = order.map(async (which) => ({ which, rate: await rateOf([given, direct.href][which]!) }));
    for (const { which, rate } of await Promise.all(beside)) if (round >= 0) rates[which].push(rate);
  }
  report({
    name: `pgbench at the given address against the server's own port, ${what}`,
    unit: 'transactions/s',
    ours: median(rates[0]),
    theirs: median(rates[1]),
    ratio: median(rates[0].map((rate, round) => rate / rates[1][round]!)),
    bar: { of: 'ratio', atLeast: target },
  });
}

async function rateOf(address: string): Promise<number> {
  const output = await pgbench(address, ['-T', String(SECONDS), '-c', String(CLIENTS), '-n', '-N']);
  return Number(/tps = ([\d.]+)/.exec(output)![1]);
}

async function pgbench(address: string, words: readonly string[]): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(address);
  const env = { PATH: process.env.PATH, PGPASSWORD: decodeURIComponent(password), PGSSLMODE: 'require' };
  const argv = ['pgbench', '-h', hostname, '-p', port, '-U', username, ...words, pathname.slice(1)] as const;
  const { exitCode, stdout, stderr } = await run(argv, { env, timeoutMs: 120_000 });
  if (exitCode !== 0) throw new Error(stderr);
  return stdout;
}
