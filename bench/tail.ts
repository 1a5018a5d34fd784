/**
 * How long after a program has written a line does whoever follows its log have it? On the whole platform: from the
 * write in the instance to the event at the client, both by the clock of this machine. And does the worker keep up
 * with a program that writes 50,000 lines a second: how far is it behind when the program stops, and is every line
 * there?
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createAccount } from '../e2e/acknowledged-writes.ts';
import { createDeployer, visit } from '../e2e/deploying.ts';
import { startPlatform, until } from '../e2e/platform.ts';
import { talkingApp } from '../e2e/talking-app.ts';
import { median, quantile } from './measuring/median.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';

const TARGET_MS = 250;
const LINES = roundsOf(400);
const FLOOD = { perSecond: 50_000, seconds: 15 };
const BEHIND_MS = 2000;
/** So many of the lines, chosen by chance, are looked for: one in a thousand that is lost would hardly escape. */
const LOOKED_FOR = 1000;

await using platform = await startPlatform({
  env: { LILAC_RATE_LIMIT: '1000000', LILAC_LOG_LEVEL: 'warn', LILAC_LOG_LINES_PER_SECOND: '1000000' },
});
const account = await createAccount(platform);
const deployer = createDeployer(platform, account);
const application = await deployer.createFromFiles('Tail', talkingApp(), { deploymentType: 'container' });
await deployer.healthy((await deployer.newest(application)).id);

const delays: number[] = [];
const stopping = new AbortController();
const params = { targetOrganisationId: account.organisationId, environmentId: application.environmentId };
const following = (async () => {
  const events = deployer.client.stream('logs.stream', { params, query: {}, signal: stopping.signal });
  for await (const { data } of events) {
    const writtenAt = /^written at (\d+)$/.exec(data.message)?.[1];
    if (writtenAt) delays.push(Date.now() - Number(writtenAt));
  }
})();

await until('the stream has begun', async () => {
  await visit(application.url, '/stamp');
  return delays.length > 0;
});
await until('what was written so far has come', async () => {
  const before = delays.length;
  await delay(500);
  return delays.length === before;
});
delays.length = 0;
for (let line = 0; line < LINES; line++) {
  await visit(application.url, '/stamp');
  // At any moment of the platform's own beat.
  await delay(Math.random() * 60);
}
await until('all have come', () => delays.length >= LINES);
stopping.abort();
await following;

const count = FLOOD.perSecond * FLOOD.seconds;
await visit(application.url, `/chat?count=${count}&perSecond=${FLOOD.perSecond}`);
const stoppedAt = performance.now();
await until('the last line is found', () => isFound(count));
const behindMs = performance.now() - stoppedAt;
for (let look = 0; look < LOOKED_FOR; look++) {
  const number = 1 + Math.floor(Math.random() * count);
  if (!(await isFound(number))) throw new Error(`Line ${number} of ${count} was lost.`);
}
report({
  name: `${count} lines at ${FLOOD.perSecond} a second, the last written to found`,
  unit: 'ms',
  ours: behindMs,
  bar: { of: 'ours', atMost: BEHIND_MS },
});
console.log(`live tail p50 ${median(delays).toFixed(0)} ms over ${LINES} lines`);
report({
  name: 'p95 of a line from written to seen by who follows',
  unit: 'ms',
  ours: quantile(delays, 0.95),
  bar: { of: 'ours', atMost: TARGET_MS },
});

async function isFound(number: number): Promise<boolean> {
  const filters = { textSearch: `line ${number} of` };
  const found = await deployer.client.call('logs.search', { body: { ...params, filters, limit: 1 } });
  return found.some((line) => line.includes(`line ${number} of`));
}
