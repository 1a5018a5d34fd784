/**
 * How soon does a rollback serve the earlier release? From the call to the moment after which every new
 * connection to the public port gets the earlier page, whichever of the edge processes takes it. Meanwhile
 * the page is asked for again and again; no answer may be anything but one of the two releases.
 */
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { createAccount } from '../e2e/acknowledged-writes.ts';
import { createDeployer, type Application, type Deployer } from '../e2e/deploying.ts';
import { startPlatform } from '../e2e/platform.ts';
import { median, quantile } from './deploy/median.ts';

const TARGET_MS = 150;
const ROUNDS = 40;
const WARM_UP_ROUNDS = 3;
const PAUSE_MS = 2;

interface Visit {
  endedAt: number;
  body: string;
}

await using platform = await startPlatform({ env: { LILAC_RATE_LIMIT: '1000000', LILAC_LOG_LEVEL: 'warn' } });
const deployer = createDeployer(platform, await createAccount(platform));
const application = await deployer.createFromFiles('Rollback', siteOf('release 0'));
const releases = [(await deployer.healthy((await deployer.newest(application)).id)).id];
releases.push((await deployer.healthy(await deployer.deploy(application, siteOf('release 1')))).id);

const served: number[] = [];
const answered: number[] = [];
for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
  const goal = Math.abs(round % 2);
  const times = await measure(deployer, application, { id: releases[goal]!, page: `release ${goal}` });
  if (round < 0) continue;
  served.push(times.servedMs);
  answered.push(times.answeredMs);
}
console.log(`call answered   p50 ${median(answered).toFixed(0)} ms`);
console.log(
  `call to served  p50 ${median(served).toFixed(0)} ms, p95 ${quantile(served, 0.95).toFixed(0)} ms over ${ROUNDS} rollbacks ` +
    `(target: p50 at most ${TARGET_MS} ms)`,
);
process.exitCode = median(served) <= TARGET_MS ? 0 : 1;

async function measure(
  deployer: Deployer,
  application: Application,
  goal: { id: string; page: string },
): Promise<{ servedMs: number; answeredMs: number }> {
  const startedAt = performance.now();
  const visits: Visit[] = [];
  const over = new AbortController();
  const visiting = (async () => {
    while (!over.signal.aborted) {
      visits.push(await visitAfresh(application.url));
      // The visits should not keep the platform's processes from the processor.
      await delay(PAUSE_MS);
    }
  })();
  await deployer.rollBack(application, goal.id);
  const answeredMs = performance.now() - startedAt;
  await deployer.healthy(goal.id);
  over.abort();
  await visiting;
  return { answeredMs, servedMs: sinceWhen(visits, goal.page) - startedAt };
}

/** When the first answer came after which there was no other than the wanted one. */
function sinceWhen(visits: readonly Visit[], page: string): number {
  const stranger = visits.find(({ body }) => !/^release [01]$/.test(body));
  if (stranger) throw new Error(`A visitor was answered: ${stranger.body.slice(0, 200)}`);
  const lastOther = visits.findLastIndex(({ body }) => body !== page);
  const first = visits[lastOther + 1];
  if (!first) throw new Error('The deployment was healthy, and another one was served.');
  return first.endedAt;
}

/** On a connection of its own, so that any of the edge processes may have it. */
async function visitAfresh(url: string): Promise<Visit> {
  const { host, port } = new URL(url);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/', headers: { host }, agent: false }, resolve)
      .once('error', reject)
      .end();
  });
  const body = await text(answer);
  return { endedAt: performance.now(), body };
}

function siteOf(page: string): Record<string, string> {
  return { 'index.html': page };
}
