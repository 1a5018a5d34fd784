import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../lib/log.ts';
import { keepVitals } from '../modules/platform/keep-vitals.ts';
import { parseExposition } from '../modules/platform/testing/parse-exposition.ts';
import { Vitals } from '../lib/vitals.ts';
import { writeVitals } from '../modules/platform/vitals-store.ts';
import { eventually } from '../testing/eventually.ts';
import { createApplication, createOwner } from '../testing/factories.ts';
import { startApi, type TestApi } from '../testing/harness.ts';

const metricsToken = 'a-token-for-the-operator';

const processOf = (place: number) => ({ machine: 'here', home: '/home', role: 'edge', place });

const scrape = (api: TestApi, token = metricsToken) => api.call('/metrics', { method: 'GET', token });

describe('the metrics of the operator', () => {
  it('are not there unless a token is set', async () => {
    await using api = await startApi();
    expect(await scrape(api)).toMatchObject({ status: 404, body: { code: 'NF002' } });
  });

  it.each([
    ['no token', undefined],
    ['another token', 'Bearer another-token-altogether'],
    ['a part of it', `Bearer ${metricsToken.slice(0, -1)}`],
    ['more than it', `Bearer ${metricsToken}x`],
    ['another scheme', `Basic ${metricsToken}`],
    ['nothing after the scheme', 'Bearer '],
  ])('are refused with %s', async (_, authorization) => {
    await using api = await startApi({ config: { metricsToken } });
    const answer = await api.call('/metrics', { method: 'GET', headers: authorization ? { authorization } : {} });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    expect(answer.text).not.toContain('lilac_');
  });

  it("are not opened by a person's session", async () => {
    await using api = await startApi({ config: { metricsToken } });
    const { token } = await createOwner(api);
    expect((await scrape(api, token)).status).toBe(401);
  });

  it('are what the processes counted and what the store knows, in the format of Prometheus', async () => {
    await using api = await startApi({ config: { metricsToken } });
    const owner = await createOwner(api);
    await createApplication(api, owner);
    await api.call('/api/applications', { token: owner.token, body: {} });
    const stop = keepVitals({ db: api.store.db, log: silentLog, config: api.config, role: 'api', place: 0 });
    await eventually('they are written', async () => (await scrape(api)).text.includes('lilac_process_cpu'));
    stop();
    const answer = await scrape(api);
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    const families = parseExposition(answer.text);
    for (const name of [
      'lilac_process_cpu_seconds_total',
      'lilac_process_resident_memory_bytes',
      'lilac_process_event_loop_delay_max_seconds',
      'lilac_process_start_time_seconds',
      'lilac_api_requests_total',
      'lilac_api_request_duration_seconds',
      'lilac_api_open_streams',
      'lilac_jobs_oldest_waiting_seconds',
      'lilac_builds_running',
      'lilac_environments',
      'lilac_store_size_bytes',
    ]) {
      expect([...families.keys()]).toContain(name);
    }
    const started = families.get('lilac_process_start_time_seconds')!.samples[0]!.value;
    expect(Math.abs(Date.now() / 1000 - started)).toBeLessThan(24 * 3600);
    expect(families.get('lilac_environments')!.samples).toEqual([
      { name: 'lilac_environments', labels: { status: 'healthy' }, value: expect.any(Number) as number },
    ]);
    const requests = families.get('lilac_api_requests_total')!.samples.map(({ labels }) => labels);
    expect(requests).toContainEqual(expect.objectContaining({ endpoint: 'applications.list', role: 'api' }));
    // Ids would make ever more series.
    expect(answer.text).not.toMatch(/(org|env|app|usr|req)_[0-9a-z]{26}/);
  });

  it('leave out processes that have not written for long, and forget them', async () => {
    await using api = await startApi({ config: { metricsToken } });
    const { db } = api.store;
    const vitals = new Vitals();
    vitals.counter('lilac_edge_requests_total', 'Requests.').value = 5;
    await writeVitals(db, processOf(1), vitals.snapshot());
    await sql`update platform_vitals set written_at = now() - interval '2 minutes'`.execute(db);
    expect((await scrape(api)).text).not.toContain('lilac_edge_requests_total');
    await writeVitals(db, processOf(2), vitals.snapshot());
    const { rows } = await sql`select place from platform_vitals`.execute(db);
    expect(rows).toEqual([{ place: 2 }]);
    expect((await scrape(api)).text).toContain('lilac_edge_requests_total{machine="here",role="edge",place="2"} 5');
  });

  it('are written down by nobody while nobody may read them', async () => {
    await using api = await startApi();
    const vitals = new Vitals();
    keepVitals({ db: api.store.db, log: silentLog, config: api.config, role: 'api', place: 0, vitals, everyMs: 1 })();
    expect(vitals.snapshot()).toEqual([]);
  });
});
