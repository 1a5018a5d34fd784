/**
 * Does a list stay quick when an organisation grows? The same API on two databases of one store, with
 * 1,000 and with 100,000 applications in the organisation that asks; the calls take turns.
 */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pathsOf, readConfig } from '../server/src/config.ts';
import { migrate } from '../server/src/db/migrate.ts';
import { openStore, type Store } from '../server/src/db/pool.ts';
import { systemClock } from '../server/src/lib/clock.ts';
import { silentLog } from '../server/src/lib/log.ts';
import { createAccessTokens } from '../server/src/modules/accounts/access-token.ts';
import { openKeyring } from '../server/src/secrets/key-file.ts';
import { platformSecret } from '../server/src/secrets/platform-secrets-store.ts';
import { dataDirectoryOf, startEmbeddedStore, stopEmbeddedStore } from '../server/src/store/embedded-store.ts';
import { buildApi } from '../server/src/wire/api.ts';
import { scratchFolder } from './measuring/interruption.ts';
import { median } from './measuring/median.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';
import { BROAD_FILTER, fillStore, MATCHES, SELECTIVE_FILTER } from './scale/fill-store.ts';

const SMALL = 1000;
const LARGE = 100_000;
const TARGET_RATIO = 3;
const LIMIT = 10;

interface Question {
  label: string;
  /** What the list is asked, given how many applications there are. */
  body: (applications: number) => object;
  matches: (applications: number) => number;
  rounds: number;
  isTarget: boolean;
}

const all = (applications: number) => applications;
const questions: Question[] = [
  { label: 'first page', body: () => ({}), matches: all, rounds: 200, isTarget: true },
  {
    label: `filter that finds ${MATCHES}`,
    body: () => ({ filter: SELECTIVE_FILTER }),
    matches: () => MATCHES,
    rounds: 200,
    isTarget: true,
  },
  {
    label: 'sorted by name',
    body: () => ({ sortColumn: 'name', sortOrder: 'asc' }),
    matches: all,
    rounds: 200,
    isTarget: false,
  },
  { label: 'sorted by status', body: () => ({ sortColumn: 'status' }), matches: all, rounds: 200, isTarget: false },
  {
    label: 'last page',
    body: (applications) => ({ page: applications / LIMIT }),
    matches: all,
    rounds: 40,
    isTarget: false,
  },
  { label: 'filter that finds all', body: () => ({ filter: BROAD_FILTER }), matches: all, rounds: 20, isTarget: false },
  { label: 'one letter, finds all', body: () => ({ filter: 'a' }), matches: all, rounds: 20, isTarget: false },
];

interface Size extends AsyncDisposable {
  applications: number;
  ask(question: Question): Promise<number>;
}

const home = scratchFolder('scale');
const config = readConfig({ LILAC_HOME: home, LILAC_RATE_LIMIT: '1000000000' });
const embedded = { directory: pathsOf(config).store, logFile: join(home, 'store.log'), password: 'only-for-this-run' };
const server = await startEmbeddedStore(embedded);
try {
  await using small = await openSize(SMALL);
  await using large = await openSize(LARGE);
  await compare(small, large);
} finally {
  await stopEmbeddedStore(server.process);
}

async function compare(small: Size, large: Size): Promise<void> {
  for (const question of questions) {
    const [few, many] = await takeTurns(question, [small, large]);
    report({
      name: `list of ${LARGE} applications against ${SMALL}, ${question.label}`,
      unit: 'ms',
      ours: many,
      theirs: few,
      bar: question.isTarget ? { of: 'ratio', atMost: TARGET_RATIO } : undefined,
    });
  }
}

/** Whatever disturbs the machine disturbs both alike. */
async function takeTurns(question: Question, sizes: readonly [Size, Size]): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  const rounds = roundsOf(question.rounds);
  const warmUp = Math.ceil(rounds / 4);
  for (let round = -warmUp; round < rounds; round++) {
    for (const [index, size] of sizes.entries()) {
      const durationMs = await size.ask(question);
      if (round >= 0) times[index as 0 | 1].push(durationMs);
    }
  }
  return [median(times[0]), median(times[1])];
}

async function openSize(applications: number): Promise<Size> {
  const store = await createDatabase(`bench_${applications}`);
  await migrate(store.db);
  const { userId, organisationId } = await fillStore(store.db, applications);
  const keyring = openKeyring(pathsOf(config).keyring);
  const app = await buildApi({ config, store, keyring, clock: systemClock, log: silentLog });
  const signingKey = await platformSecret({ store, keyring }, 'access-token-signing');
  const token = await createAccessTokens({ signingKey, clock: systemClock }).issue({ userId, sessionId: 'ses_bench' });
  return {
    applications,
    ask: (question) => ask(app, { question, applications, token, organisationId }),
    async [Symbol.asyncDispose]() {
      await app.close();
      await store.close();
    },
  };
}

async function createDatabase(name: string): Promise<Store> {
  const administrator = openDatabase('postgres');
  await administrator.pool.query(`create database ${name}`);
  await administrator.close();
  return openDatabase(name);
}

function openDatabase(name: string): Store {
  const socket = encodeURIComponent(dataDirectoryOf(embedded));
  const url = `postgresql://lilac:${embedded.password}@/${name}?host=${socket}`;
  return openStore({ kind: 'url', url }, { max: 2, applicationName: 'bench' });
}

interface Call {
  question: Question;
  applications: number;
  token: string;
  organisationId: string;
}

/** A wrong answer would be no measurement, so every answer is looked at. */
async function ask(app: FastifyInstance, { question, applications, token, organisationId }: Call): Promise<number> {
  const body = { targetOrganisationId: organisationId, limit: LIMIT, ...question.body(applications) };
  const started = performance.now();
  const response = await app.inject({
    method: 'POST',
    url: '/api/applications',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
  const durationMs = performance.now() - started;
  const page = response.json<{ items?: unknown[]; totalItems?: number }>();
  if (page.items?.length !== LIMIT || page.totalItems !== question.matches(applications)) {
    throw new Error(`${question.label}: ${response.statusCode} ${response.body.slice(0, 500)}`);
  }
  return durationMs;
}
