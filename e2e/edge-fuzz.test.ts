import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzzMs, fuzzRounds } from '../server/src/testing/fuzz-settings.ts';
import { createAccount } from './acknowledged-writes.ts';
import { createDeployer, visit } from './deploying.ts';
import { attacks, type Reply, type Target } from './edge-attacks.ts';
import { findFreePort, startPlatform, until, type Platform } from './platform.ts';

/** A real edge, in its own process, and everything that strangers can send to it. */
let platform: Platform;
let target: Target;
let siteUrl: string;
let edge: number;
let openAtFirst: number;
/** Connections to the api that are kept for the next request, and of our own questions. */
const SPARE = 20;
beforeAll(async () => {
  const tlsPort = await findFreePort();
  platform = await startPlatform({
    env: { LILAC_TLS_PORT: String(tlsPort), LILAC_EDGE_PROCESSES: '1', LILAC_RATE_LIMIT: '100000000' },
  });
  const deployer = createDeployer(platform, await createAccount(platform));
  const application = await deployer.createFromFiles('Site', { 'index.html': 'home' });
  await deployer.healthy((await deployer.newest(application)).id);
  siteUrl = application.url;
  target = { port: platform.port, tlsPort, host: new URL(application.url).hostname };
  [edge = 0] = platform.pids()['edge'] ?? [];
  openAtFirst = descriptors();
});
afterAll(() => platform?.[Symbol.asyncDispose]());

const descriptors = () => readdirSync(`/proc/${edge}/fd`).length;
const residentMib = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${edge}/status`, 'utf8'))![1]) / 1024;
const isServing = async () => {
  const answers = await Promise.all([visit(platform.url, '/api/health'), visit(siteUrl)]);
  return answers.every(({ status }) => status === 200);
};

describe('an edge is as it was before', () => {
  it.each(Object.entries(attacks))('%s', async (name, attack) => {
    const share = 1 / Object.keys(attacks).length;
    let mibBefore = residentMib();
    let rounds = 0;
    for (const seed of fuzzRounds(1, share)) {
      rounds++;
      for (const reply of await attack(target, seed)) expectRight(reply, { name, seed });
      expect({ seed, isServing: await isServing() }).toEqual({ seed, isServing: true });
      // What is loaded and kept ready at the first use stays.
      if (fuzzMs !== null && rounds === 1) mibBefore = residentMib();
    }
    expect(platform.pids()['edge']).toEqual([edge]);
    await until('all that was opened is closed', () => descriptors() <= openAtFirst + SPARE);
    if (fuzzMs !== null)
      console.log(`${name}: ${rounds} rounds, ${mibBefore.toFixed()} → ${residentMib().toFixed()} MiB`);
    // Node gives memory back when it likes; what is kept for each of thousands would be far more.
    expect(residentMib()).toBeLessThan(mibBefore + 150);
  });

  it('and has said nothing of a fault of its own', () => {
    const faults = platform
      .output()
      .split('\n')
      .filter((line) => /"level":(?:50|60|"error"|"fatal")|uncaught/i.test(line));
    expect(faults).toEqual([]);
  });
});

/** An answer of HTTP that blames the client, or none. */
function expectRight({ sent, text }: Reply, about: object): void {
  if (!text.startsWith('HTTP/')) return;
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]);
  const isRight = status >= 100 && status < 500;
  expect({ ...about, sent: isRight ? '' : sent.toString('latin1'), status, isRight }).toEqual({
    ...about,
    sent: '',
    status,
    isRight: true,
  });
}
