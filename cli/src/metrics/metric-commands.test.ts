import { describe, expect, it } from 'vitest';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';

const environmentOf = ({ url }: { url: string }) => ({ LILAC_API_URL: url, LILAC_TOKEN: 'lc_key' });
const at = (minute: number) => `2026-11-15T12:${String(minute).padStart(2, '0')}:00.000Z`;
const series = (...values: (number | null)[]) =>
  values.flatMap((v, minute) => (v === null ? [] : [{ t: at(minute), v }]));

describe('lilac envs metrics', () => {
  const path = '/api/environments/metrics/detailed';
  const timeRange = { startTime: at(0), endTime: at(2), stepSeconds: 60 };
  const metrics = {
    cpu: series(4.25, 0.01),
    memory: series(100 * 1024 ** 2, 15.25 * 1024 ** 2),
    requestCount: series(0, 1234),
    latency: series(null, 12.34),
    instanceCount: series(0.5, 12),
    bandwidthIn: series(0, 9999),
    bandwidthOut: series(1, 20 * 1024 ** 2),
  };
  const body = { environmentId: 'env_1', deploymentType: 'container', timeRange, metrics };
  const answer = { ...body, latencyPercentiles: { p50: series(null, 2), p99: series(null, 20_000) } };

  it('shows a row for each time and a column with its unit for each figure, within 80 characters', async () => {
    using platform = await startPlatformDouble({ [path]: { body: answer } });
    const { out } = await lilac('envs metrics env_1', environmentOf(platform), { width: 80 });
    expect(out.split('\n')).toEqual([
      'TIME    CPU  MEMORY  REQUESTS  P50   P95    P99  INSTANCES    IN   OUT',
      'UTC       %     MiB             ms    ms     ms                B   MiB',
      '12:00   4.3     100         0    -     -      -        0.5     0  <0.1',
      '12:01  <0.1    15.3      1234    2  12.3  20000         12  9999    20',
      '',
    ]);
    expect(platform.received[0]?.body).toEqual({ environmentId: 'env_1', timeRange: '1h' });
  });

  it('leaves one space between columns where two do not fit, and names the day in longer ranges', async () => {
    const long = { ...answer, timeRange: { ...timeRange, stepSeconds: 7200 } };
    using platform = await startPlatformDouble({ [path]: { body: long } });
    const { out } = await lilac('envs metrics env_1 7d', environmentOf(platform), { width: 70 });
    expect(out).toMatch(/^11-15 12:00 +4\.3 /m);
    expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(70);
    expect(platform.received[0]?.body).toMatchObject({ timeRange: '7d' });
  });

  it('says what was asked for and not measured', async () => {
    let measured: object = { cpu: [], requestCount: series(1) };
    using platform = await startPlatformDouble({ [path]: () => ({ body: { ...body, metrics: measured } }) });
    const line = 'envs metrics env_1 --metrics cpu,requestCount';
    const { out } = await lilac(line, environmentOf(platform));
    expect(out).toBe('TIME   REQUESTS\nUTC\n12:00         1\n\nNot measured: CPU.\n');
    measured = { cpu: [] };
    expect((await lilac(line, environmentOf(platform))).out).toBe('Nothing was measured in this time.\n');
    expect(platform.received[0]?.body).toMatchObject({ metrics: ['cpu', 'requestCount'] });
  });

  it('prints the answer as it came with --json', async () => {
    using platform = await startPlatformDouble({ [path]: { body: answer } });
    expect(JSON.parse((await lilac('envs metrics env_1 --json', environmentOf(platform))).out)).toEqual(answer);
  });
});

describe('lilac envs sparkline', () => {
  const path = '/api/environments/metrics/sparkline';
  const hour = Array.from({ length: 60 }, (_, minute) => minute);
  const environments = { env_01aB: series(...hour), env_2: series(...hour.map((v) => (v === 30 ? null : 0))) };

  it('shows a line for each environment that fits, in the order asked for, and tells who is not there', async () => {
    using platform = await startPlatformDouble({ [path]: { body: { environments } } });
    const shown = await lilac('envs sparkline env_2 env_01aB env_3', environmentOf(platform), { width: 80 });
    const [second, first] = shown.out.split('\n') as [string, string];
    expect(second).toBe(`env_2     ${'▁'.repeat(30)} ${'▁'.repeat(29)}     0`);
    expect(first).toMatch(/^env_01aB {2}▁▂+▃+▄+▅+▆+▇+█+ {2}1770$/);
    expect(first).toHaveLength(8 + 2 + 60 + 2 + 4);
    expect(shown.err).toBe('There is no env_3.\n');
    expect(platform.received[0]?.body).toEqual({ environmentIds: ['env_2', 'env_01aB', 'env_3'] });
    const narrow = await lilac('envs sparkline env_01aB', environmentOf(platform), { width: 50 });
    expect(narrow.out).toMatch(/^env_01aB {2}[▁-█]{30} {2}1770\n$/);
  });

  it('does with ASCII where the terminal knows no more', async () => {
    using platform = await startPlatformDouble({ [path]: { body: { environments } } });
    const plain = { ...environmentOf(platform), LANG: 'C' };
    expect((await lilac('envs sparkline env_01aB', plain)).out).toMatch(/^env_01aB {2}_\.+:+-+=+\++\*+#+ {2}1770\n$/);
    expect((await lilac('envs sparkline env_2', { ...plain, LC_ALL: 'en_GB.UTF-8' })).out).toContain('▁');
  });

  it('prints the answer as it came with --json', async () => {
    using platform = await startPlatformDouble({ [path]: { body: { environments } } });
    const { out } = await lilac('envs sparkline env_1 --json', environmentOf(platform));
    expect(JSON.parse(out)).toEqual({ environments });
  });
});

describe('lilac db metrics', () => {
  const path = '/api/databases/metrics';
  const metrics = {
    cpu: series(4.25, 50),
    memory: series(30 * 1024 ** 2, 31 * 1024 ** 2),
    storage: series(2 * 1024 ** 3, 2.5 * 1024 ** 3),
    connections: series(null, 3),
  };
  const answer = { databaseId: 'db_1', metrics };

  it('shows a row for each time and a column with its unit for each figure', async () => {
    using platform = await startPlatformDouble({ [path]: { body: answer } });
    const { out } = await lilac('db metrics db_1', environmentOf(platform));
    expect(out.split('\n')).toEqual([
      'TIME   CPU  MEMORY  STORAGE  CONNECTIONS',
      'UTC      %     MiB      MiB',
      '12:00  4.3      30     2048            -',
      '12:01   50      31     2560            3',
      '',
    ]);
    expect(platform.received[0]?.body).toEqual({ databaseId: 'db_1', timeRange: '1h' });
  });

  it('names the day in longer ranges, and prints the answer as it came with --json', async () => {
    using platform = await startPlatformDouble({ [path]: { body: answer } });
    expect((await lilac('db metrics db_1 24h', environmentOf(platform))).out).toContain('11-15 12:00');
    expect(JSON.parse((await lilac('db metrics db_1 --json', environmentOf(platform))).out)).toEqual(answer);
  });
});
