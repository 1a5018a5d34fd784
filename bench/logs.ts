/**
 * What do logs cost? How many lines a second are stored while the API still answers; how long the search "last hour,
 * ERROR, contains a word" takes in 5 million lines of 20 environments, and the same over a day; and whether it takes
 * longer than with one environment's lines only. Everything over HTTP, on the embedded store.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { pathsOf, readConfig } from '../server/src/config.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { openStore } from '../server/src/db/pool.ts';
import { systemClock } from '../server/src/lib/clock.ts';
import { start } from '../server/src/lib/exec.ts';
import { createAccessTokens } from '../server/src/modules/accounts/access-token.ts';
import { openKeyring } from '../server/src/secrets/key-file.ts';
import { platformSecret } from '../server/src/secrets/platform-secrets-store.ts';
import { startEmbeddedStore, stopEmbeddedStore } from '../server/src/store/embedded-store.ts';
import { createApiKey, createApplication, createOwner, productionOf } from '../server/src/testing/factories.ts';
import { fillLogs } from './logs/fill-logs.ts';
import type { WriteOrder, WriteReport } from './logs/writer.ts';
import { scratchFolder } from './measuring/interruption.ts';
import { median, quantile } from './measuring/median.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';

const ENVIRONMENTS = 20;
/** `--lines=500000` for a quick look. */
const LINES = Number(process.argv.find((arg) => arg.startsWith('--lines='))?.slice('--lines='.length) ?? 5_000_000);
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const SEARCHES = roundsOf(25);
const WARM_UP = 5;
const INGEST_MS = 15_000;
const bars = { linesPerSecond: 50_000, apiMs: 100, hourMs: 50, dayMs: 400, growth: 1.5 };
const STORE_PASSWORD = 'only-for-the-bench';

const home = scratchFolder('logs');
const config = readConfig({ LILAC_HOME: home });
const paths = pathsOf(config);
mkdirSync(paths.logs, { recursive: true });
const running = await startEmbeddedStore({ directory: paths.store, logFile: paths.storeLog, password: STORE_PASSWORD });
const address = { kind: 'socket', directory: paths.storeSocket, password: STORE_PASSWORD } as const;
const store = openStore(address, { max: 2, applicationName: 'bench' });
const socket = join(home, 'api.sock');
const children: ChildProcess[] = [];

try {
  const { key, environmentIds } = await prepare();
  const [first, ...others] = environmentIds as [string, ...string[]];
  const api = await startChild('api/server.ts', ['platform', home, STORE_PASSWORD, socket]);
  const perEnvironment = { lines: LINES / ENVIRONMENTS, overMs: DAY_MS };
  await fillLogs(store.db, first, perEnvironment);
  const alone = await measureSearches({ api, key, environmentId: first });
  for (const id of others) await fillLogs(store.db, id, perEnvironment);
  const among = await measureSearches({ api, key, environmentId: first });
  for (const [name, { hour, day, dayCpu }] of Object.entries({ alone, among })) {
    console.log(
      `${name}: ${format(hour)} ms, ${format(day)} ms, of the latter ${format(dayCpu)} ms the API's processor time`,
    );
  }
  report({ name: 'search of the last hour', unit: 'ms', ours: among.hour, bar: { of: 'ours', atMost: bars.hourMs } });
  report({ name: 'search of 24 hours', unit: 'ms', ours: among.day, bar: { of: 'ours', atMost: bars.dayMs } });
  report({
    name: "the API's processor time of the latter, against a store without others' lines",
    unit: 'ms',
    ours: among.dayCpu,
    theirs: alone.dayCpu,
    bar: { of: 'ratio', atMost: bars.growth },
  });
  await measureIngest(key, environmentIds);
} finally {
  await Promise.all(children.map(end));
  await store.close();
  await stopEmbeddedStore(running.process);
}

async function prepare(): Promise<{ key: string; environmentIds: string[] }> {
  await migrate(store.db);
  const signingKey = await platformSecret({ store, keyring: openKeyring(paths.keyring) }, 'access-token-signing');
  const accessTokens = createAccessTokens({ signingKey, clock: systemClock });
  const owner = await createOwner({ store, clock: systemClock, accessTokens });
  const environmentIds: string[] = [];
  for (let count = 0; count < ENVIRONMENTS; count++) {
    const { id } = await createApplication({ store }, owner);
    environmentIds.push((await productionOf({ store }, id)).id);
  }
  return { key: (await createApiKey({ store }, owner)).secret, environmentIds };
}

interface Searches {
  /** Medians, in milliseconds. */
  hour: number;
  day: number;
  /** Processor time of the API for one of a day: hardly disturbed by whatever else the machine does. */
  dayCpu: number;
}

async function measureSearches({ api, key, environmentId }: Searcher): Promise<Searches> {
  const search = (spanMs: number) => {
    const startTime = new Date(Date.now() - spanMs).toISOString();
    const filters = { startTime, severity: ['ERROR'], textSearch: 'Invoice' };
    return call(key, '/api/environments/logs', { environmentId, filters }, assertFound);
  };
  const times = { hour: [] as number[], day: [] as number[], dayCpu: [] as number[] };
  for (let round = -WARM_UP; round < SEARCHES; round++) {
    const hour = await search(HOUR_MS);
    const cpuBefore = await cpuOf(api);
    const day = await search(DAY_MS);
    const dayCpu = (await cpuOf(api)) - cpuBefore;
    if (round < 0) continue;
    times.hour.push(hour);
    times.day.push(day);
    times.dayCpu.push(dayCpu);
  }
  return { hour: median(times.hour), day: median(times.day), dayCpu: median(times.dayCpu) };
}

interface Searcher {
  api: ChildProcess;
  key: string;
  environmentId: string;
}

/** In milliseconds. */
async function cpuOf(api: ChildProcess): Promise<number> {
  api.send('cpu');
  const [usage] = (await once(api, 'message')) as [NodeJS.CpuUsage];
  return (usage.user + usage.system) / 1000;
}

/** Lines of all environments, as fast as they can be stored, while somebody uses the API. */
async function measureIngest(key: string, environmentIds: string[]): Promise<void> {
  const writer = await startChild('logs/writer.ts', [paths.storeSocket, STORE_PASSWORD]);
  const order: WriteOrder = { environmentIds, durationMs: INGEST_MS };
  const written = once(writer, 'message') as Promise<[WriteReport]>;
  writer.send(order);
  const over = new AbortController();
  const calling = callUntil(over.signal, key);
  const [{ lines, tookMs }] = await written;
  over.abort();
  const times = await calling;
  console.log(
    `API meanwhile: ${times.length} calls, p50 ${format(median(times))} ms, worst ${format(quantile(times, 1))} ms`,
  );
  const [perSecond, p95] = [(lines * 1000) / tookMs, quantile(times, 0.95)];
  report({ name: 'lines stored', unit: 'lines/s', ours: perSecond, bar: { of: 'ours', atLeast: bars.linesPerSecond } });
  report({ name: 'p95 of the API meanwhile', unit: 'ms', ours: p95, bar: { of: 'ours', atMost: bars.apiMs } });
}

async function callUntil(signal: AbortSignal, key: string): Promise<number[]> {
  const times: number[] = [];
  while (!signal.aborted) times.push(await call(key, '/api/applications', {}));
  return times;
}

function assertFound(answer: string): void {
  if ((JSON.parse(answer) as unknown[]).length === 0) throw new Error('The search found nothing of what is there.');
}

/** How long an answer took, read to its end. */
async function call(key: string, path: string, body: object, check?: (answer: string) => void): Promise<number> {
  const sentAt = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let text = '';
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', host: 'localhost:7080' };
  const sent = request({ socketPath: socket, path, method: 'POST', headers }, (answer) => {
    if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}`));
    answer.setEncoding('utf8').on('data', (part: string) => (text += part));
    answer.on('end', resolve).on('error', reject);
  });
  sent.on('error', reject).end(JSON.stringify(body));
  await promise;
  const tookMs = performance.now() - sentAt;
  check?.(text);
  return tookMs;
}

function format(value: number): string {
  return value >= 1000 ? String(Math.round(value)) : value.toFixed(1);
}

/** Resolves when it says that it is there. */
async function startChild(file: string, args: string[]): Promise<ChildProcess> {
  const argv = [process.execPath, join(import.meta.dirname, file), ...args] as [string, ...string[]];
  const child = start(argv, { env: {}, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  children.push(child);
  await once(child, 'message');
  return child;
}

/** They leave by themselves when nobody listens to them any more. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.disconnect();
  await once(child, 'exit');
}
