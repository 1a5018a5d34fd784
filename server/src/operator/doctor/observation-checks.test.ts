import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
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

it('says where metrics are, and never the token', () => {
  const token = 'a-token-for-the-operator';
  const config = readConfig({ LILAC_METRICS_TOKEN: token, LILAC_PUBLIC_URL: 'https://lilac.example.org' });
  const { found } = lookAtMetrics({ config });
  expect(found).toContain('https://lilac.example.org/metrics');
  expect(found).not.toContain(token);
  expect(lookAtMetrics({ config: readConfig({}) }).found).toContain('LILAC_METRICS_TOKEN');
});
