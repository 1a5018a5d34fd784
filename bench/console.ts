/**
 * What does somebody wait for who opens the console? A signed-in browser with an empty cache loads the list of
 * applications: how much travels, when the first thing is drawn, when the list is there and answers, and how long the
 * page is deaf meanwhile. Once more from the cache, as on every later visit.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createAccount } from '../e2e/acknowledged-writes.ts';
import { launchBrowser, openVisitor } from '../e2e/console/browser.ts';
import * as steps from '../e2e/console/steps.ts';
import { createDeployer } from '../e2e/deploying.ts';
import { startPlatform } from '../e2e/platform.ts';
import { median } from './measuring/median.ts';
import { report } from './measuring/report.ts';
import { roundsOf } from './measuring/rounds-of.ts';

const ROUNDS = roundsOf(5);
/** The first paint is held to what Lighthouse calls good on a desktop. */
const bars = { scriptKb: 200, requests: 25, firstPaintMs: 934, interactiveMs: 1000, longestTaskMs: 200 };

interface Load {
  scriptKb: number;
  totalKb: number;
  requests: number;
  firstPaintMs: number;
  interactiveMs: number;
  longestTaskMs: number;
}

await using platform = await startPlatform({ env: { LILAC_RATE_LIMIT: '1000000', LILAC_LOG_LEVEL: 'warn' } });
const deployer = createDeployer(platform, await createAccount(platform));
const application = await deployer.createFromFiles('Shop', { 'index.html': '<h1>Shop</h1>' });
await deployer.healthy((await deployer.newest(application)).id);
const browser = await launchBrowser();
const cold: Load[] = [];
const warm: Load[] = [];
try {
  for (let round = 0; round < ROUNDS; round++) {
    const context = await signedInWithEmptyCache(browser);
    cold.push(await measure(await context.newPage()));
    warm.push(await measure(await context.newPage()));
    await context.close();
  }
} finally {
  await browser.close();
}
console.log(`everything of the first load: ${of(cold, 'totalKb').toFixed(0)} kB (median of ${ROUNDS} rounds)`);
tell('script of the first load', { ours: of(cold, 'scriptKb'), atMost: bars.scriptKb, unit: 'kB compressed' });
tell('requests of the first load', { ours: of(cold, 'requests'), atMost: bars.requests, unit: '' });
tell('first paint', { ours: of(cold, 'firstPaintMs'), atMost: bars.firstPaintMs, unit: 'ms' });
tell('interactive', { ours: of(cold, 'interactiveMs'), atMost: bars.interactiveMs, unit: 'ms' });
tell('longest task', { ours: of(cold, 'longestTaskMs'), atMost: bars.longestTaskMs, unit: 'ms' });
tell('interactive from the cache', { ours: of(warm, 'interactiveMs'), atMost: bars.interactiveMs, unit: 'ms' });

function of(loads: readonly Load[], figure: keyof Load): number {
  return median(loads.map((load) => load[figure]));
}

function tell(name: string, { ours, atMost, unit }: { ours: number; atMost: number; unit: string }): void {
  report({ name, unit, ours, bar: { of: 'ours', atMost } });
}

/** The session's cookie goes along, what was loaded does not. */
async function signedInWithEmptyCache(browser: Browser): Promise<BrowserContext> {
  const visitor = await openVisitor(browser, { url: platform.url });
  await visitor.page.goto('/sign-in');
  await steps.signIn(visitor.page, { email: 'ada@example.org', password: 'a long pass phrase' });
  await visitor.page.getByRole('heading', { name: 'Applications' }).waitFor();
  const storageState = await visitor.context.storageState();
  await visitor.context.close();
  return browser.newContext({ baseURL: platform.url, storageState });
}

async function measure(page: Page): Promise<Load> {
  await page.addInitScript(watchLoading);
  await page.goto('/');
  await page.getByRole('link', { name: 'Shop', exact: true }).first().waitFor();
  await page.waitForLoadState('networkidle');
  const { files, ...times } = await page.evaluate(readLoading);
  await page.close();
  const scripts = files.filter(({ name }) => name.endsWith('.js'));
  return { ...times, scriptKb: kbOf(scripts), totalKb: kbOf(files), requests: files.length };
}

function kbOf(files: readonly { bytes: number }[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
}

interface Watched {
  shownAt: number;
  tasks: number[];
}

/** In the page, before anything else runs. */
function watchLoading(): void {
  const watched: Watched = { shownAt: 0, tasks: [] };
  Object.assign(globalThis, { watched });
  new PerformanceObserver((list) => watched.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
    buffered: true,
  });
  const look = () => {
    const isThere = document.querySelector('#content a[href^="/apps/"]') !== null;
    // A frame later it is drawn, and whatever was queued before has been answered.
    if (isThere) requestAnimationFrame(() => setTimeout(() => (watched.shownAt = performance.now())));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

function readLoading() {
  const { watched } = globalThis as unknown as { watched: Watched };
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  return {
    files: (entries as PerformanceResourceTiming[]).map(({ name, encodedBodySize: bytes }) => ({ name, bytes })),
    firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.POSITIVE_INFINITY,
    interactiveMs: watched.shownAt,
    longestTaskMs: Math.max(0, ...watched.tasks),
  };
}
