import { metricNames } from '@lilac/contract/states';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { latencyBucket, newHistogram } from '../../metrics/latency-histogram.ts';
import { dayOfMinute, ensureMinutePartitions, writeMinutes } from '../../metrics/metric-store.ts';
import { MINUTE_MS, PLATFORM, type TrafficFigures, type UsageFigures } from '../../metrics/minute-row.ts';
import { createApplication, createOwner, productionOf, type TestOwner } from '../../testing/factories.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';
import { rollUp } from './roll-up.ts';

/** In the middle of a minute, of five minutes, of a quarter and of two hours. */
const now = new Date('2026-11-15T13:37:20.000Z');
const HOUR_MS = 60 * MINUTE_MS;

let api: TestApi;
let owner: TestOwner;
let environmentId: string;
beforeAll(async () => {
  api = await startApi({ clock: createFakeClock(now) });
  owner = await createOwner(api);
  environmentId = await createEnvironment(owner.organisationId, new Date(now.getTime() - 3 * HOUR_MS));
});
afterAll(() => api[Symbol.asyncDispose]());

async function createEnvironment(organisationId: string, createdAt: Date): Promise<string> {
  const { id } = await productionOf(api, (await createApplication(api, { organisationId })).id);
  await api.store.db.updateTable('environments').set({ created_at: createdAt }).where('id', '=', id).execute();
  return id;
}

interface Figures {
  traffic?: Partial<TrafficFigures>;
  usage?: Partial<UsageFigures>;
}

/** What a process wrote of the minute that time is in. */
async function write(id: string, at: string, { traffic, usage }: Figures, source = '1'): Promise<void> {
  const minute = Math.floor(Date.parse(`2026-11-15T${at}Z`) / MINUTE_MS);
  await ensureMinutePartitions(api.store.db, [dayOfMinute(minute)]);
  await writeMinutes(api.store.db, [
    {
      environmentId: id,
      minute,
      source,
      traffic: traffic ? { requests: 0, bytesIn: 0, bytesOut: 0, latencies: null, ...traffic } : null,
      usage: usage ? { looks: 1, instances: 0, memoryBytes: 0, cpuSeconds: 0, cpuAllowedSeconds: 0, ...usage } : null,
    },
  ]);
}

const watched = { traffic: {}, usage: { looks: 60 } };
const detailed = async (body: object) =>
  api.call('/api/environments/metrics/detailed', {
    token: owner.token,
    body: { targetOrganisationId: owner.organisationId, environmentId, ...body },
  });
const askForMore = async () => {
  const answers = await Promise.all(['6h', '24h', '7d'].map((timeRange) => detailed({ timeRange })));
  return answers.map(({ body }) => body.metrics);
};
const sparkline = async (environmentIds: string[]) =>
  api.call('/api/environments/metrics/sparkline', {
    token: owner.token,
    body: { targetOrganisationId: owner.organisationId, environmentIds },
  });
const point = (at: string, v: number) => ({ t: `2026-11-15T${at}.000Z`, v });

describe('metrics.detailed', () => {
  it('has no points where nothing was measured, whichever the range', async () => {
    for (const [timeRange, stepSeconds, startTime] of [
      ['1h', 60, '2026-11-15T12:38:00.000Z'],
      ['6h', 300, '2026-11-15T07:40:00.000Z'],
      ['24h', 900, '2026-11-14T13:45:00.000Z'],
      ['7d', 7200, '2026-11-08T14:00:00.000Z'],
    ]) {
      const { status, body } = await detailed({ timeRange });
      expect(status).toBe(200);
      expect(body).toEqual({
        environmentId,
        deploymentType: 'static',
        timeRange: { startTime, endTime: now.toISOString(), stepSeconds },
        metrics: Object.fromEntries(metricNames.map((name) => [name, []])),
        latencyPercentiles: { p50: [], p99: [] },
      });
      expect(Object.keys(body.metrics)).toEqual(metricNames);
    }
  });

  it('adds up all processes; nothing happened is 0, and what nobody watched is not there', async () => {
    await write(PLATFORM, '13:00:00', watched);
    await write(PLATFORM, '13:01:00', watched);
    await write(PLATFORM, '13:37:00', { traffic: {} });
    const latencies = newHistogram();
    latencies[latencyBucket(10)] = 99;
    latencies[latencyBucket(1000)] = 1;
    await write(environmentId, '13:00:00', { traffic: { requests: 100, bytesIn: 5, bytesOut: 50, latencies } });
    await write(environmentId, '13:00:00', { traffic: { requests: 11, bytesIn: 5, bytesOut: 50 } }, '2');
    const usage = { looks: 30, instances: 60, memoryBytes: 1000, cpuSeconds: 15, cpuAllowedSeconds: 60 };
    await write(environmentId, '13:00:00', { usage }, '3');
    await write(environmentId, '13:37:00', { traffic: { requests: 1 } });
    const { metrics, latencyPercentiles } = (await detailed({ timeRange: '1h' })).body;
    expect(metrics).toEqual({
      cpu: [point('13:00:00', 25)],
      memory: [point('13:00:00', 1000)],
      requestCount: [point('13:00:00', 111), point('13:01:00', 0), point('13:37:00', 1)],
      latency: [{ t: '2026-11-15T13:00:00.000Z', v: expect.closeTo(10, -0.5) as number }],
      instanceCount: [point('13:00:00', 1), point('13:01:00', 0)],
      bandwidthOut: [point('13:00:00', 100), point('13:01:00', 0), point('13:37:00', 0)],
      bandwidthIn: [point('13:00:00', 10), point('13:01:00', 0), point('13:37:00', 0)],
    });
    expect(latencyPercentiles.p99[0].v).toBeLessThan(12);
    expect(latencyPercentiles.p50[0].v).toBeLessThanOrEqual(metrics.latency[0].v);
  });

  it('shows what is asked for, in the same order always', async () => {
    const { body } = await detailed({ timeRange: '1h', metrics: ['bandwidthIn', 'requestCount', 'requestCount'] });
    expect(Object.keys(body.metrics)).toEqual(['requestCount', 'bandwidthIn']);
    expect(body).not.toHaveProperty('latencyPercentiles');
    expect((await detailed({ timeRange: '2h' })).status).toBe(400);
    expect((await detailed({ timeRange: '1h', metrics: ['disk'] })).status).toBe(400);
  });

  it('is the same before minutes are summed up and after, and says nothing of the time before it was there', async () => {
    await write(PLATFORM, '10:10:00', watched);
    await write(PLATFORM, '10:50:00', watched);
    await write(environmentId, '10:50:00', { traffic: { requests: 4 } });
    const before = await askForMore();
    await rollUp(api.store, { nowMs: now.getTime() });
    expect(await askForMore()).toEqual(before);
    expect(before.map(({ requestCount }) => requestCount)).toEqual([
      [point('10:50:00', 4), point('13:00:00', 111), point('13:35:00', 1)],
      [point('10:45:00', 4), point('13:00:00', 111), point('13:30:00', 1)],
      [point('10:00:00', 4), point('12:00:00', 112)],
    ]);
    expect(before[2].instanceCount).toEqual([point('10:00:00', 0), point('12:00:00', 0.5)]);
  });
});

describe('metrics.sparkline', () => {
  it('shows requests a minute of those that are there, in the order of the question', async () => {
    const theirs = await createEnvironment((await createOwner(api)).organisationId, new Date(0));
    const fresh = await createEnvironment(owner.organisationId, now);
    const { status, body } = await sparkline([fresh, 'env_unknown', environmentId, theirs, fresh]);
    expect(status).toBe(200);
    expect(body).toEqual({
      environments: {
        [fresh]: [point('13:37:00', 0)],
        [environmentId]: [point('13:00:00', 111), point('13:01:00', 0), point('13:37:00', 1)],
      },
    });
    expect(Object.keys(body.environments)).toEqual([fresh, environmentId]);
    expect((await sparkline([])).body).toEqual({ environments: {} });
  });
});

it('counts the instances of a new environment from its beginning on, not from that of the step', async () => {
  const createdAt = new Date('2026-11-15T09:37:20.000Z');
  const id = await createEnvironment(owner.organisationId, createdAt);
  for (const minute of [35, 36, 37, 38, 39]) await write(PLATFORM, `09:${minute}:00`, watched);
  for (const [minute, looks] of [
    [37, 40],
    [38, 60],
    [39, 60],
  ] as const) {
    await write(id, `09:${minute}:00`, { usage: { looks, instances: looks } });
  }
  const { body } = await detailed({ environmentId: id, timeRange: '6h', metrics: ['instanceCount'] });
  expect(body.metrics.instanceCount).toContainEqual(point('09:35:00', 1));
});

it('counts them so too where the platform itself began within the step', async () => {
  await api.store.db.deleteFrom('metric_minutes').execute();
  const id = await createEnvironment(owner.organisationId, new Date('2026-11-15T09:38:00.000Z'));
  await write(PLATFORM, '09:37:00', watched);
  for (const minute of [38, 39]) {
    await write(PLATFORM, `09:${minute}:00`, watched);
    await write(id, `09:${minute}:00`, { usage: { looks: 60, instances: 60 } });
  }
  const { body } = await detailed({ environmentId: id, timeRange: '7d', metrics: ['instanceCount'] });
  expect(body.metrics.instanceCount).toContainEqual(point('08:00:00', 1));
});
