import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { pathsOf, readConfig, type Config } from '../config.ts';
import { methodsAt } from '../http/route-table.ts';
import type { StreamTimes } from '../http/serve-stream.ts';
import { silentLog, type Log } from '../lib/log.ts';
import { createAccessTokens, type AccessTokens } from '../modules/accounts/access-token.ts';
import type { Engines } from '../modules/databases/databases-deps.ts';
import type { VcsHosts } from '../modules/vcs/vcs-deps.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { platformSecret } from '../secrets/platform-secrets-store.ts';
import { buildApi, type WatchHandlers } from '../wire/api.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { createTestStore, type TestStore } from './test-store.ts';

export interface ApiOptions {
  config?: Partial<Config>;
  clock?: FakeClock;
  log?: Log;
  streamTimes?: Partial<StreamTimes>;
  /** Left out: those of this machine. */
  engines?: Engines;
  /** Left out: those of the configuration. */
  vcsHosts?: VcsHosts;
  watchHandlers?: WatchHandlers;
}

export interface CallOptions {
  /** Left out: the method the contract has at the path, or POST. */
  method?: HTTPMethods | 'TRACE';
  /** Sent as JSON, unless it is text already. */
  body?: unknown;
  token?: string;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The parsed JSON; text where the answer is not JSON. */
  body: any; // oxlint-disable-line typescript/no-explicit-any -- a test looks into whatever came
  text: string;
}

export interface TestApi extends AsyncDisposable {
  app: FastifyInstance;
  store: TestStore;
  clock: FakeClock;
  config: Config;
  keyring: Keyring;
  log: Log;
  /** Signs as the API does, so that a test can make sessions without signing in. */
  accessTokens: AccessTokens;
  call(path: string, options?: CallOptions): Promise<Answer>;
}

/** No test asks a repository host of the world, or its DNS. */
const settings = { LILAC_RATE_LIMIT: '1000000', LILAC_VCS_URL: 'http://127.0.0.1:9', LILAC_DNS_SERVERS: '127.0.0.1:9' };

/** The whole API on a store of its own: `await using api = await startApi()`. Nothing listens; calls are injected. */
export async function startApi({
  config: overrides,
  clock = createFakeClock(),
  log = silentLog,
  streamTimes = {},
  engines,
  vcsHosts,
  watchHandlers,
}: ApiOptions = {}): Promise<TestApi> {
  const home = mkdtempSync(join(tmpdir(), 'lilac-api-'));
  const config: Config = { ...readConfig({ ...settings, LILAC_HOME: home }), ...overrides };
  const store = await createTestStore();
  const keyring = openKeyring(pathsOf(config).keyring);
  const app = await buildApi({
    config,
    store,
    keyring,
    clock,
    log,
    streamTimes,
    vcsHosts,
    ...(engines && { engines }),
    ...(watchHandlers && { watchHandlers }),
  });
  const signingKey = await platformSecret({ store, keyring }, 'access-token-signing');
  return {
    app,
    store,
    clock,
    config,
    keyring,
    log,
    accessTokens: createAccessTokens({ signingKey, clock }),
    call: (path, options) => call(app, path, options ?? {}),
    async [Symbol.asyncDispose]() {
      await app.close();
      await store[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function call(
  app: FastifyInstance,
  path: string,
  { method, body, token, headers }: CallOptions,
): Promise<Answer> {
  const isText = typeof body === 'string';
  const response = await app.inject({
    method: method ?? methodAt(path),
    url: path,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: isText ? body : JSON.stringify(body) }),
    // One that streams has no end: what it says first will do.
    payloadAsStream: true,
  });
  const type = response.headers['content-type'] ?? '';
  const isEndless = type.startsWith('text/event-stream');
  const text = await readText(response.stream(), { isEndless });
  // Nobody reads it any more: else it would be held for whoever asked, who may have only so many.
  if (isEndless) response.raw.res.destroy();
  return {
    status: response.statusCode,
    headers: response.headers as Answer['headers'],
    body: type.includes('json') && text ? (JSON.parse(text) as unknown) : text,
    text,
  };
}

async function readText(stream: Readable, { isEndless }: { isEndless: boolean }): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream as AsyncIterable<Buffer>) {
    pieces.push(piece);
    if (isEndless) break;
  }
  return Buffer.concat(pieces).toString();
}

function methodAt(path: string): HTTPMethods {
  return methodsAt(path)[0] ?? 'POST';
}
