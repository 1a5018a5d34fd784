import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallInput } from '../contract/src/client.ts';
import { createAccount, type Account } from './acknowledged-writes.ts';
import { createDeployer, visit, type Application, type Deployer } from './deploying.ts';
import { startPlatform, until, type Platform } from './platform.ts';
import { talkingApp } from './talking-app.ts';

/** What applications say, on the whole platform: searched, followed, counted, and not lost to a kill. */
let platform: Platform;
let account: Account;
let deployer: Deployer;
let talker: Application;
let neighbour: Application;

beforeAll(async () => {
  platform = await startPlatform({ env: { LILAC_RATE_LIMIT: '1000000', LILAC_LOG_LINES_PER_SECOND: '5000' } });
  account = await createAccount(platform);
  deployer = createDeployer(platform, account);
  talker = await release('Talker');
  neighbour = await release('Neighbour');
});
afterAll(() => platform?.[Symbol.asyncDispose]());

async function release(name: string): Promise<Application> {
  const application = await deployer.createFromFiles(name, talkingApp(), { deploymentType: 'container' });
  await deployer.healthy((await deployer.newest(application)).id);
  return application;
}

type Search = Omit<CallInput<'logs.search'>['body'], 'environmentId' | 'targetOrganisationId'>;

/** All pages, the oldest line first. */
async function search({ environmentId }: Application, asked: Search = {}): Promise<string[]> {
  const pages: string[][] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const body = { environmentId, targetOrganisationId: account.organisationId, limit: 10_000, ...asked, cursor };
    const response = await fetch(`${platform.url}/api/environments/logs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    pages.unshift((await response.json()) as string[]);
    cursor = response.headers.get('x-next-cursor');
  }
  return pages.flat();
}

const messageOf = (line: string): string => line.split(' ').slice(2).join(' ');
const say = (application: Application, text: string, to = 'stdout') =>
  visit(application.url, `/say?to=${to}&text=${encodeURIComponent(text)}`);

async function saw(application: Application, textSearch: string): Promise<string> {
  let lines: string[] = [];
  await until(`"${textSearch}" is in the log`, async () => {
    lines = await search(application, { filters: { textSearch } });
    return lines.length > 0;
  });
  return lines[0]!;
}

/** The numbers of the numbered lines, in the order of the log. */
const numbersIn = (lines: readonly string[]): number[] =>
  lines.flatMap((line) => / line (\d+) of a talkative program/.exec(line)?.[1] ?? []).map(Number);

const countDropped = (lines: readonly string[]): number =>
  lines
    .map((line) => Number((/([\d,]+) lines? w(?:as|ere) dropped/.exec(line)?.[1] ?? '0').replaceAll(',', '')))
    .reduce((sum, count) => sum + count, 0);

describe('the log of an environment', () => {
  it('has what was said, with its time and how severe it is, and is searched by them', async () => {
    await say(talker, 'a plain remark');
    await say(talker, '{"level":"error","msg":"the odd % thing_"}');
    await say(talker, 'something to worry about', 'stderr');
    expect(await saw(talker, 'A PLAIN remark')).toMatch(/^20\d\d-[\d-]+T[\d:.]+Z INFO a plain remark$/);
    expect(await saw(talker, 'the odd % thing_')).toContain(' ERROR {"level"');
    expect(await saw(talker, 'to worry about')).toContain(' WARN something');
    expect(await search(talker, { filters: { textSearch: 'the odd _ thing%' } })).toEqual([]);
    const severe = await search(talker, { filters: { severity: ['error', 'FATAL'] } });
    expect(severe).toHaveLength(1);
    const from = new Date(Date.now() + 60_000).toISOString();
    expect(await search(talker, { filters: { startTime: from } })).toEqual([]);
  });

  it('tells of builds and releases', async () => {
    const lines = (await search(neighbour)).map(messageOf).join('\n');
    expect(lines).toMatch(/build/i);
    expect(lines).toMatch(/live/i);
  });

  it('has a line for every request once that is switched on', async () => {
    const { client, targetOrganisationId } = deployer;
    const body = { targetOrganisationId, environmentId: talker.environmentId };
    await visit(talker.url, '/before');
    await client.call('environments.access-log', { body: { ...body, enabled: true } });
    await until('it is switched on', async () => {
      await visit(talker.url, '/fail?secret=x');
      return (await search(talker, { filters: { textSearch: '/fail' } })).length > 0;
    });
    expect(await saw(talker, '/fail')).toMatch(/GET \/fail.* 500 /);
    await client.call('environments.access-log', { body: { ...body, enabled: false } });
    expect(await search(talker, { filters: { textSearch: '/before' } })).toEqual([]);
  });
});

describe('the live log', () => {
  it('is followed as it is written, and goes on where it was after a break', async () => {
    const params = { targetOrganisationId: account.organisationId, environmentId: talker.environmentId };
    const stopping = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      const events = deployer.client.stream('logs.stream', { params, query: {}, signal: stopping.signal });
      for await (const { data } of events) if (data.message.startsWith('live ')) seen.push(data.message);
    })();
    const said: string[] = [];
    const sayNext = () => say(talker, `live ${said.push(`live ${said.length + 1}`)}`);
    // What was said before it began to follow does not come.
    await until('it follows', async () => {
      await sayNext();
      return seen.length > 0;
    });
    for (let number = 1; number <= 60; number++) {
      await sayNext();
      // The stream's own process is killed, and its successor goes on.
      if (number === 30) process.kill(platform.pids().api![0]!, 'SIGKILL');
    }
    await until('all have come', () => seen.at(-1) === said.at(-1));
    stopping.abort();
    await following;
    expect(seen).toEqual(said.slice(said.indexOf(seen[0]!)));
  });
});

describe('a worker that is killed while an application talks', () => {
  it('loses no line and doubles none', async () => {
    const count = 20_000;
    const chatting = visit(neighbour.url, `/chat?count=${count}&perSecond=4000`);
    for (let kills = 0; kills < 3; kills++) {
      await delay(1200);
      const [pid] = platform.pids().worker!;
      process.kill(pid!, 'SIGKILL');
      await until('there is another', () => (platform.pids().worker?.[0] ?? pid) !== pid);
    }
    await chatting;
    await until('all is there', async () => {
      const last = await search(neighbour, { filters: { textSearch: `line ${count} of` } });
      return last.length > 0;
    });
    const numbers = numbersIn(await search(neighbour, { filters: { textSearch: 'talkative' } }));
    expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    console.log(`3 kills of the worker while ${count} lines were written: ${numbers.length} stored, each once`);
  });
});

describe('an application that writes 50,000 lines a second for ten seconds', () => {
  it('does not stall, does not keep its neighbours from being heard, and what was dropped is counted', async () => {
    const count = 500_000;
    const begun = new Date().toISOString();
    const done = new AbortController();
    const chatting = visit(talker.url, `/chat?count=${count}&perSecond=50000`).finally(() => done.abort());
    const delays: number[] = [];
    for (let number = 0; !done.signal.aborted; number++) {
      const at = performance.now();
      await say(neighbour, `neighbour's word ${number};`);
      await saw(neighbour, `neighbour's word ${number};`);
      delays.push(performance.now() - at);
    }
    const { ms, longestPause } = JSON.parse((await chatting).body) as { ms: number; longestPause: number };
    let lines: string[] = [];
    await until('every line is stored or counted', async () => {
      lines = await search(talker, { filters: { startTime: begun } });
      return numbersIn(lines).length + countDropped(lines) >= count;
    });
    const numbers = numbersIn(lines);
    expect(numbers.length + countDropped(lines)).toBe(count);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(countDropped(lines)).toBeGreaterThan(0);
    const median = delays.toSorted((a, b) => a - b)[delays.length >> 1]!;
    console.log(
      `${count} lines in ${(ms / 1000).toFixed(1)} s, longest pause of the program ${longestPause.toFixed(0)} ms: ` +
        `${numbers.length} stored, ${countDropped(lines)} dropped and counted; ` +
        `${delays.length} words of the neighbour were found after ${median.toFixed(0)} ms at the median`,
    );
  });
});

const total = (points: readonly { v: number }[] = []): number => points.reduce((sum, { v }) => sum + v, 0);

describe('the figures of an environment', () => {
  it('show requests, answers, instances and what they use', async () => {
    const { client, targetOrganisationId } = deployer;
    const { environmentId } = talker;
    const read = () =>
      client.call('metrics.detailed', { body: { targetOrganisationId, environmentId, timeRange: '1h' } });
    await until('they are measured', async () => {
      const { metrics } = await read();
      // Processor time is known from the second look at an instance on.
      const used = [metrics.memory, metrics.instanceCount, metrics.cpu];
      return total(metrics.requestCount) >= 60 && used.every((points) => total(points) > 0);
    });
    const { metrics, deploymentType } = await read();
    expect(deploymentType).toBe('container');
    expect(total(metrics.latency)).toBeGreaterThan(0);
    expect(total(metrics.bandwidthOut)).toBeGreaterThan(0);
    const { environments } = await client.call('metrics.sparkline', {
      body: { targetOrganisationId, environmentIds: [environmentId, 'env_of_nobody'] },
    });
    expect(Object.keys(environments)).toEqual([environmentId]);
    expect(total(environments[environmentId])).toBeGreaterThanOrEqual(60);
  });
});
