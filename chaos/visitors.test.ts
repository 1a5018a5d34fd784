import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../e2e/platform.ts';
import { wake } from './actions/sleeper.ts';
import { Outages } from './outages.ts';
import { ReleaseHistory } from './release-history.ts';
import { sendVisitors, type Scene } from './scene.ts';

it('a visitor who is refused with no fault under way is noted, though they are let in when they try once more', async () => {
  const server = createServer((_, response) => response.end('site release 0'));
  const port = await freePort();
  const outages = new Outages();
  const note = outages.noteRetried.bind(outages);
  outages.noteRetried = (refusal) => {
    note(refusal);
    // It listens when this returns, which is before anybody tries once more.
    if (!server.listening) server.listen(port);
  };
  const history = new ReleaseHistory();
  history.ask('site release 0').acknowledged('dep_1');
  const events = { tell: () => {}, about: () => [] };
  const load = sendVisitors({ events, outages }, { part: 'site', url: `http://site.localhost:${port}`, history });
  await until('somebody was answered', () => load.tally.requests > load.tally.refused);
  const { refused, failures } = await load.stop();
  server.closeAllConnections();
  server.close();
  expect(failures).toEqual([]);
  expect(refused).toBeGreaterThan(0);
  expect(outages.unexplained()).toHaveLength(refused);
  expect(outages.unexplained()[0]).toMatchObject({ part: 'site', message: expect.stringContaining('ECONNREFUSED') });
});

it('so is one whose kept connection is closed under a request, though they are served on another', async () => {
  const served = new WeakSet<object>();
  const server = createServer((request, response) => {
    // Without a byte of an answer, as when its process is killed.
    if (served.has(request.socket)) request.socket.destroy();
    else response.end('site release 0');
    served.add(request.socket);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  const outages = new Outages();
  const killed = outages.open({ what: 'kill-first-edge', harms: 'edge', disturbs: { site: ['broken'] } });
  const history = new ReleaseHistory();
  history.ask('site release 0').acknowledged('dep_1');
  const events = { tell: () => {}, about: () => [] };
  const load = sendVisitors({ events, outages }, { part: 'site', url: `http://site.localhost:${port}`, history });
  await until('connections were closed', () => load.tally.closed > 0);
  const { closed, failures } = await load.stop();
  server.closeAllConnections();
  server.close();
  expect(failures).toEqual([]);
  expect(outages.unexplained()).toEqual([]);
  // Nobody was killed.
  killed.withdraw();
  expect(outages.unexplained()).toHaveLength(closed);
});

it('so is a visitor of who sleeps', async () => {
  const home = mkdtempSync(join(tmpdir(), 'lilac-visitors-'));
  mkdirSync(join(home, 'instances'));
  const outages = new Outages();
  const sleeper = { environmentId: 'env_1', url: `http://sleeper.localhost:${await freePort()}` };
  const events = { tell: () => {}, about: () => [] };
  const scene = { handle: { home }, events, outages, sleeper } as unknown as Scene;
  await wake(scene, { number: 1, atMs: 0, lane: 'sleeper', name: 'wake', roll: 1 });
  rmSync(home, { recursive: true });
  // The first was tried once more, and that failed too.
  expect([outages.count(), outages.unexplained().length]).toEqual([1, 2]);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
