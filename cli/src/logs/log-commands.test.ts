import { describe, expect, it } from 'vitest';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';

const searchPath = '/api/environments/logs';
const environmentOf = ({ url }: { url: string }) => ({ LILAC_API_URL: url, LILAC_TOKEN: 'lc_key' });

const eventOf = (id: number, t: string, message: string) =>
  `id: ${id}\nevent: log\ndata: ${JSON.stringify({ t, severity: 'INFO', message, instance: null })}\n\n`;
const headers = { 'content-type': 'text/event-stream' };

const pageOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `2026-11-15T12:00:00.000Z INFO line ${index}`);

describe('lilac logs', () => {
  it('shows the newest lines as the search answers them', async () => {
    const body = ['2026-11-15T12:00:00.000Z INFO listening', '2026-11-15T12:00:01.000Z ERROR it  broke : '];
    using platform = await startPlatformDouble({ [searchPath]: { body } });
    const shown = await lilac('logs env_1', environmentOf(platform));
    expect(shown).toEqual({ exitCode: 0, out: `${body.join('\n')}\n`, err: '' });
    expect(platform.received[0]?.body).toEqual({ environmentId: 'env_1', filters: {}, limit: 101 });
  });

  it('asks for what is wanted', async () => {
    using platform = await startPlatformDouble({ [searchPath]: { body: ['2026-11-15T12:00:00.000Z WARN x'] } });
    const line =
      'logs --environment-id env_1 --severity warn,error --severity FATAL --text oops --since 1h --lines 7 --org org_1';
    expect(await lilac(line, environmentOf(platform))).toMatchObject({ exitCode: 0 });
    const body = platform.received[0]?.body as { filters: { startTime: string } };
    expect(body).toEqual({
      environmentId: 'env_1',
      targetOrganisationId: 'org_1',
      filters: { severity: ['warn', 'error', 'FATAL'], textSearch: 'oops', startTime: expect.any(String) as string },
      limit: 7,
    });
    const ago = Date.now() - Date.parse(body.filters.startTime);
    expect(Math.round(ago / 60_000)).toBe(60);
  });

  it('reads page after page until it has enough, and shows the oldest first', async () => {
    let asked = 0;
    const pages = [
      { body: ['2026-11-15T12:00:03.000Z INFO three'], headers: { 'x-next-cursor': 'older' } },
      { body: [], headers: { 'x-next-cursor': 'oldest' } },
      { body: ['2026-11-15T12:00:01.000Z INFO one', '2026-11-15T12:00:02.000Z INFO two'] },
    ];
    using platform = await startPlatformDouble({ [searchPath]: () => pages[asked++]! });
    const { out } = await lilac('logs env_1 --lines 20', environmentOf(platform));
    expect(out.match(/\w+$/gm)).toEqual(['one', 'two', 'three']);
    expect(platform.received.map(({ body }) => body)).toMatchObject([
      { limit: 20 },
      { limit: 19, cursor: 'older' },
      { limit: 19, cursor: 'oldest' },
    ]);
  });

  it('says to a person that there are older ones', async () => {
    let count = 101;
    using platform = await startPlatformDouble({ [searchPath]: () => ({ body: pageOf(count) }) });
    const shown = await lilac('logs env_1', environmentOf(platform), { isTerminal: true });
    const numbers = shown.out.match(/(?<=line )\d+/g)!.map(Number);
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([100, 1, 100]);
    expect(shown.err).toBe('There are older lines: --lines N shows more than 100, --since 1h all of an hour.\n');
    expect((await lilac('logs env_1', environmentOf(platform))).err).toBe('');
    count = 100;
    const all = await lilac('logs env_1', environmentOf(platform), { isTerminal: true });
    expect([all.out.match(/line/g)?.length, all.err]).toEqual([100, '']);
  });

  it('shows everything since a time, to a maximum that it tells', async () => {
    const page = { body: pageOf(10_000), headers: { 'x-next-cursor': 'older' } };
    let left = 3;
    using platform = await startPlatformDouble({
      [searchPath]: () => (left-- > 1 ? page : { body: pageOf(5) }),
    });
    const since = 'logs env_1 --since 2026-11-15 --until 2026-11-15T12:00Z';
    const all = await lilac(since, environmentOf(platform));
    expect([all.out.match(/\n/g)?.length, all.err]).toEqual([20_005, '']);
    expect(platform.received[2]?.body).toMatchObject({
      filters: { startTime: '2026-11-15T00:00:00.000Z', endTime: '2026-11-15T12:00:00.000Z' },
      limit: 10_000,
      cursor: 'older',
    });
    left = 20;
    const most = await lilac(since, environmentOf(platform));
    expect(most.out.match(/\n/g)?.length).toBe(100_000);
    expect(most.err).toMatch(/^These are the newest 100000, and there are older ones/);
  });

  it('says so when there is nothing, and not where a program reads', async () => {
    using platform = await startPlatformDouble({ [searchPath]: { body: [] } });
    const environment = environmentOf(platform);
    expect(await lilac('logs env_1', environment)).toEqual({
      exitCode: 0,
      out: '',
      err: 'Nothing was logged in the last seven days.\n',
    });
    expect((await lilac('logs env_1 --text x', environment)).err).toBe('No line matches.\n');
    expect(await lilac('logs env_1 --json', environment)).toEqual({ exitCode: 0, out: '', err: '' });
  });

  it('colours severities on a terminal only, and lets no line command it', async () => {
    const body = ['2026-11-15T12:00:00.000Z WARN \u001b[31mred\u001b[0m \u001b]0;title\u0007\u001b[2Jgone'];
    using platform = await startPlatformDouble({ [searchPath]: { body } });
    const environment = environmentOf(platform);
    expect((await lilac('logs env_1', environment)).out).toBe('2026-11-15T12:00:00.000Z WARN red gone\n');
    const { out } = await lilac('logs env_1', environment, { isTerminal: true });
    expect(out.replaceAll('\u001b', '')).toMatch(/^\[2m11-15 12:00:00\.000Z\[0m \[33mWARN\[0m {2}\[31mred/);
    expect(out).not.toMatch(/title|\[2J/);
    expect((await lilac('logs env_1', { ...environment, NO_COLOR: '1' }, { isTerminal: true })).out).toBe(
      '2026-11-15T12:00:00.000Z WARN red gone\n',
    );
  });

  it('prints an object for each line with --json', async () => {
    using platform = await startPlatformDouble({ [searchPath]: { body: ['2026-11-15T12:00:00.000Z WARN a b'] } });
    const { out } = await lilac('logs env_1 --json', environmentOf(platform));
    expect(out).toBe('{"t":"2026-11-15T12:00:00.000Z","severity":"WARN","message":"a b"}\n');
  });

  it('refuses what cannot be meant', async () => {
    for (const [line, complaint] of [
      ['logs', 'Missing: environment-id.'],
      ['logs env_1 more', '"more" is one word too many.'],
      ['logs env_1 --since yesterday', '--since is 30s, 15m, 1h, 2d or a time in UTC such as'],
      ['logs env_1 --until later', '--until is 30s, 15m, 1h, 2d or a time in UTC such as'],
      ['logs env_1 --since 1h --until 2h', '--since is after --until.'],
      ['logs env_1 -f --until 2h', '--until has an end and --follow has none'],
      ['logs env_1 --lines -1', '--lines is a whole number from 1 to 1000000, not -1.'],
      ['logs env_1 --lines 0', '--lines is a whole number from 1 to 1000000, not 0.'],
      ['logs env_1 --follow --lines 1001', '--lines is a whole number from 0 to 1000 with --follow, not 1001.'],
    ] as const) {
      const { exitCode, err } = await lilac(line, { LILAC_TOKEN: 'lc_key' });
      expect([line, exitCode, err.includes(complaint)]).toEqual([line, 2, true]);
    }
  });
});

describe('lilac logs --follow', () => {
  it('prints what comes as it comes, over several connections, until it is to end', async () => {
    const now = new Date().toISOString();
    let connections = 0;
    const path = '/api/environments/-/env_1/logs/stream?lines=5&severity=info&textSearch=x';
    using platform = await startPlatformDouble({
      [path]: () => {
        connections++;
        return { headers, body: `retry: 1\n\n${eventOf(connections, now, `line ${connections}`)}` };
      },
    });
    const stopping = new AbortController();
    const watch = (out: string) => out.includes('line 3') && stopping.abort();
    const line = 'logs env_1 --follow --lines 5 --severity info --text x';
    const shown = await lilac(line, environmentOf(platform), { watch, signal: stopping.signal, isTerminal: true });
    expect(shown.exitCode).toBe(0);
    expect(shown.out.match(/line \d/g)).toEqual(['line 1', 'line 2', 'line 3']);
    expect(shown.err).toBe('Following the log; Ctrl-C ends.\n');
    expect(platform.received.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '1', '2']);
  });

  it('leaves out earlier lines that are older than wanted', async () => {
    const now = new Date().toISOString();
    const body = eventOf(1, '2020-01-01T00:00:00.000Z', 'old') + eventOf(2, now, 'new');
    using platform = await startPlatformDouble({
      '/api/environments/org_1/env_1/logs/stream?lines=1000': { headers, body },
    });
    const stopping = new AbortController();
    const shown = await lilac('logs env_1 --follow --since 1h --json --org org_1', environmentOf(platform), {
      watch: () => stopping.abort(),
      signal: stopping.signal,
    });
    expect(shown.out).toBe(`{"t":"${now}","severity":"INFO","message":"new","instance":null}\n`);
  });

  it('tells when it may not', async () => {
    using platform = await startPlatformDouble({
      '/api/environments/-/env_1/logs/stream?lines=100': {
        status: 404,
        body: { message: 'Environment not found.', code: 'NF001' },
      },
    });
    const shown = await lilac('logs env_1 --follow', environmentOf(platform), { isTerminal: true });
    expect(shown).toMatchObject({ exitCode: 1, out: '' });
    expect(shown.err).toMatch(/^lilac: Environment not found\. \(NF001\)\n/);
  });
});
