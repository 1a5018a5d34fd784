/**
 * What does the platform cost on top of a bare web framework? An authenticated POST /api/applications/status
 * against a bare Fastify route that does the same single query with the same pool. Each server has a process
 * of its own, the load comes from a third; rounds alternate, and what counts is the processor time of the
 * server per request, which other work on the machine hardly disturbs.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
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
import { createApplication, createOwner } from '../server/src/testing/factories.ts';
import type { LoadOrder, LoadReport } from './api/load.ts';
import { scratchFolder } from './measuring/interruption.ts';
import { median } from './measuring/median.ts';
import { profiling } from './measuring/profiling.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';

const TARGET = 0.6;
/** Many short rounds: whatever else the machine does then falls on both alike. */
const ROUNDS = roundsOf(30);
const WARM_UP_ROUNDS = 4;
const ROUND_MS = 500;
const STORE_PASSWORD = 'only-for-the-bench';

interface Round extends LoadReport {
  cpuMicros: number;
}

const home = scratchFolder('api');
const config = readConfig({ LILAC_HOME: home });
const paths = pathsOf(config);
mkdirSync(paths.logs, { recursive: true });
const running = await startEmbeddedStore({ directory: paths.store, logFile: paths.storeLog, password: STORE_PASSWORD });
const children: ChildProcess[] = [];
try {
  const request = await prepare();
  const load = startChild('load.ts', []);
  const servers = { platform: await startServer('platform'), bare: await startServer('bare') };
  const rounds: Record<keyof typeof servers, Round[]> = { platform: [], bare: [] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const kind of ['platform', 'bare'] as const) {
      const measured = await measure(servers[kind], load, { socket: socketOf(kind), request, durationMs: ROUND_MS });
      if (round >= 0) rounds[kind].push(measured);
    }
  }
  tell(rounds);
} finally {
  await Promise.all(children.map(end));
  await stopEmbeddedStore(running.process);
}

/** A store with one application in it; returns the request that both servers answer. */
async function prepare(): Promise<string> {
  const address = { kind: 'socket', directory: paths.storeSocket, password: STORE_PASSWORD } as const;
  const store = openStore(address, { max: 1, applicationName: 'bench' });
  await migrate(store.db);
  const keyring = openKeyring(paths.keyring);
  const signingKey = await platformSecret({ store, keyring }, 'access-token-signing');
  const accessTokens = createAccessTokens({ signingKey, clock: systemClock });
  const owner = await createOwner({ store, clock: systemClock, accessTokens });
  const { id } = await createApplication({ store }, owner);
  await store.close();
  const { userId, organisationId, token } = owner;
  const body = JSON.stringify({ targetOrganisationId: organisationId, applicationId: id, userId });
  return [
    'POST /api/applications/status HTTP/1.1',
    'Host: localhost:7080',
    'User-Agent: bench',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'X-Forwarded-For: 192.0.2.1',
    'X-Forwarded-Proto: http',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}

async function startServer(kind: 'platform' | 'bare'): Promise<ChildProcess> {
  const child = startChild('server.ts', [kind, home, STORE_PASSWORD, socketOf(kind)]);
  await once(child, 'message');
  return child;
}

function socketOf(kind: string): string {
  return join(home, `${kind}.sock`);
}

function startChild(file: string, args: string[]): ChildProcess {
  const script = join(import.meta.dirname, 'api', file);
  const argv = [process.execPath, script, ...args] as [string, ...string[]];
  const env = args[0] === 'platform' ? profiling() : {};
  const child = start(argv, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  children.push(child);
  return child;
}

/** They leave by themselves when nobody listens to them any more. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.disconnect();
  await once(child, 'exit');
}

async function measure(server: ChildProcess, load: ChildProcess, order: LoadOrder): Promise<Round> {
  const before = await cpuOf(server);
  load.send(order);
  const [done] = (await once(load, 'message')) as [LoadReport];
  return { ...done, cpuMicros: (await cpuOf(server)) - before };
}

async function cpuOf(server: ChildProcess): Promise<number> {
  server.send('cpu');
  const [usage] = (await once(server, 'message')) as [NodeJS.CpuUsage];
  return usage.user + usage.system;
}

function tell(rounds: Record<'platform' | 'bare', Round[]>): void {
  const costOf = ({ cpuMicros, answers }: Round) => cpuMicros / answers;
  const cost = (of: Round[]) => median(of.map(costOf));
  for (const [kind, of] of Object.entries(rounds)) {
    const perSecond = median(of.map(({ answers }) => (answers * 1000) / ROUND_MS));
    console.log(
      `${kind.padEnd(9)} ${cost(of).toFixed(1)} µs CPU per request, ${Math.round(1e6 / cost(of))} requests/s per core, ` +
        `${Math.round(perSecond)} requests/s seen, p50 ${median(of.map(({ p50Ms }) => p50Ms)).toFixed(1)} ms, ` +
        `p99 ${median(of.map(({ p99Ms }) => p99Ms)).toFixed(1)} ms`,
    );
  }
  const ratio = median(rounds.bare.map((bare, round) => costOf(bare) / costOf(rounds.platform[round]!)));
  report({
    name: 'a call with a credential, against a bare Fastify route',
    unit: 'requests/s per core',
    ours: 1e6 / cost(rounds.platform),
    theirs: 1e6 / cost(rounds.bare),
    ratio,
    bar: { of: 'ratio', atLeast: TARGET },
  });
}
