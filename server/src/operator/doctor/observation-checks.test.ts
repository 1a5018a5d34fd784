import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { pathsOf, readConfig } from '../../config.ts';
import { tryLock } from '../../lib/file-lock.ts';
import { silentLog } from '../../lib/log.ts';
import { createErrorKeeper } from '../../modules/platform/keep-errors.ts';
import { createTestStore } from '../../testing/test-store.ts';
import { lookAtMetrics, observationChecks } from './observation-checks.ts';

const errorCheck = observationChecks.checks.find(({ id }) => id === 'observation.errors')!;

describe('errors of the last day', () => {
  it('are told, with the command that shows them', async () => {
    await using store = await createTestStore();
    const config = { ...readConfig({}), databaseUrl: store.url };
    const look = () => errorCheck.look({ config, environment: {} });
    expect(await look()).toMatchObject({ status: 'ok', found: 'none in the last day' });
    const keeper = createErrorKeeper({ db: store.db, log: silentLog, role: 'api' });
    keeper.keep({ errorId: 'err_1', origin: 'x', requestId: null, jobId: null, error: new Error('no luck') });
    await keeper.close();
    expect(await look()).toMatchObject({ status: 'warn', found: expect.stringMatching(/^one failure/) as string });
  });

  it('are not looked at where the store does not answer', async () => {
    const config = { ...readConfig({}), databaseUrl: 'postgresql://lilac@127.0.0.1:1/lilac' };
    expect(await errorCheck.look({ config, environment: {} })).toMatchObject({ status: 'ok' });
  });
});

describe('metrics for Prometheus', () => {
  const token = 'a-token-for-the-operator';
  const home = mkdtempSync(join(tmpdir(), 'lilac-doctor-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('are where the settings say while nothing runs, and the token is never told', async () => {
    const settings = { LILAC_HOME: home, LILAC_PUBLIC_URL: 'https://lilac.example.org' };
    const { found } = await lookAtMetrics({ config: readConfig({ ...settings, LILAC_METRICS_TOKEN: token }) });
    expect(found).toBe('for Prometheus at https://lilac.example.org/metrics');
    expect((await lookAtMetrics({ config: readConfig(settings) })).found).toContain('LILAC_METRICS_TOKEN would');
  });

  it.each([
    {
      status: 401,
      here: undefined,
      finding: { status: 'ok', found: 'for Prometheus at https://lilac.example.org/metrics' },
    },
    {
      status: 404,
      here: undefined,
      finding: { status: 'ok', found: expect.stringContaining('no endpoint') as string },
    },
    { status: 404, here: token, finding: { status: 'warn', advice: expect.stringContaining('Restart') as string } },
    { status: 503, here: token, finding: { status: 'ok', found: 'not looked at, see Public port' } },
  ])('are where the running platform says: $status', async ({ status, here, finding }) => {
    const asked: string[] = [];
    const server = createServer(({ url, headers }, response) => {
      asked.push(`${headers.host} ${url} ${headers.authorization}`);
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const config = readConfig({
      LILAC_HOME: home,
      LILAC_PUBLIC_URL: 'https://lilac.example.org',
      LILAC_PORT: String((server.address() as AddressInfo).port),
      ...(here && { LILAC_METRICS_TOKEN: here }),
    });
    mkdirSync(dirname(pathsOf(config).supervisorLock), { recursive: true });
    const release = tryLock(pathsOf(config).supervisorLock);
    try {
      expect(await lookAtMetrics({ config })).toMatchObject(finding);
      expect(asked).toEqual(['lilac.example.org /metrics undefined']);
    } finally {
      release();
      server.close();
    }
  });
});
