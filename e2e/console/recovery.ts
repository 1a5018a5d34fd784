import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { until } from '../platform.ts';

const SCRIPT = /\/assets\/repositories-page.*\.js$/;
const SHEET = /\/assets\/repositories-page.*\.css$/;
const FIRST_SCRIPT = /\/assets\/index-[^/]*\.js$/;
const ACTIVITY = '**/api/organisations/activity';
const REFRESH = '**/api/auth/refresh';
const PROFILE = '**/api/auth/profile';
const WARNINGS = '**/api/applications/domain-warnings';
const LOG = /\/logs\/stream/;

export interface RecoveryWorld {
  /** Of somebody who is signed in. */
  newPage: () => Promise<Page>;
  environmentId: string;
}

/** How pages come back that did not come. Call it within a `describe`. */
export function testRecovery(given: () => RecoveryWorld): void {
  it('where the console itself does not come, the page says so and is loaded again, at the address that it has', async () => {
    const page = await given().newPage();
    const scripts = await refuse(page, FIRST_SCRIPT, { isRefused: () => true, status: 503 });
    const address = '/invite?from=mail#a-secret';
    await page.goto(address);
    await page.getByRole('heading', { name: 'The console has not loaded yet' }).waitFor();
    expect(await page.getByText('The platform may be restarting').isVisible()).toBe(true);
    await scripts.let();
    await page.getByRole('link', { name: 'Load it again' }).click();
    await page.getByRole('heading', { name: 'This invitation cannot be used' }).waitFor();
    expect(page.url().endsWith(address)).toBe(true);
    await page.close();
  });

  it('and nothing of that flashes up before a console that comes, nor is it read out', async () => {
    const page = await given().newPage();
    const { promise: seen, resolve: letPass } = Promise.withResolvers<void>();
    await page.route(FIRST_SCRIPT, async (route) => {
      await seen;
      await route.continue();
    });
    await page.goto('/members', { waitUntil: 'commit' });
    const notice = page.locator('.not-loaded');
    await notice.waitFor({ state: 'attached' });
    const waits = () =>
      notice.evaluate((shown) => shown.getAnimations().map(({ effect }) => effect?.getTiming().delay));
    await until('the style sheet has come', async () => (await waits()).length > 0);
    expect(await waits()).toEqual([4000]);
    letPass();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    expect(await notice.count()).toBe(0);
    await page.close();
  });

  it.each([
    { what: 'script', file: SCRIPT },
    { what: 'sheet', file: SHEET },
  ])('a page whose $what did not come is fetched again by itself, and nothing else anew', async ({ file }) => {
    await using world = await openWorld(given());
    const { page } = world;
    const files = await refuse(page, file, { isRefused: () => world.looks() === 0, status: 503 });
    await toRepositories(page);
    await page.getByText('It is tried again by itself.').waitFor();
    await page.getByRole('heading', { name: 'Repositories', level: 1 }).waitFor();
    expect(files.count(), 'it came in the end').toBeGreaterThan(1);
    expect(world.loads()).toBe(0);
  });

  it('after an upgrade the window is loaded anew, at once', async () => {
    await using world = await openWorld(given());
    const { page } = world;
    await refuse(page, SCRIPT, { isRefused: () => world.looks() === 0, status: 404 });
    await page.route(isRoot, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/index-newer.js"></script>' }),
    );
    await toRepositories(page);
    await page.getByRole('heading', { name: 'Repositories', level: 1 }).waitFor();
    expect(world.loads()).toBe(1);
  });

  it('for a script that never comes the window is loaded anew once, and again for who says so; it comes by itself when it is there', async () => {
    await using world = await openWorld(given());
    const { page } = world;
    const scripts = await refuse(page, SCRIPT, { isRefused: () => true, status: 404 });
    await toRepositories(page);
    // It failed twice before, and three times after.
    await until('it was tried again after the window was loaded anew', () => Promise.resolve(world.looks() >= 5));
    await page.getByText('It is tried again by itself.').waitFor();
    expect(world.loads()).toBe(1);
    expect(await page.getByRole('navigation', { name: 'Main' }).count(), 'the way to others stays').toBe(1);
    await page.getByRole('button', { name: 'Try again' }).click();
    await until('the window is loaded anew', () => Promise.resolve(world.loads() === 2));
    await page.getByText('It is tried again by itself.').waitFor();
    await scripts.let();
    await page.getByRole('heading', { name: 'Repositories', level: 1 }).waitFor();
  });

  it('what a page shows is asked for again by itself, where it was not answered and where it could not be', async () => {
    await using world = await openWorld(given());
    const { page } = world;
    const asked = await refuse(page, ACTIVITY, { isRefused: theFirst(2), status: 503 });
    await page.goto('/activity');
    await page.getByText('Trying again automatically.').waitFor();
    await page.getByRole('list', { name: 'Activity' }).waitFor();
    expect(asked.count()).toBe(3);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    const silent = await refuse(page, ACTIVITY, { isRefused: theFirst(2), status: 'no answer' });
    await page.reload();
    await page.getByText('Trying again automatically.').waitFor();
    await page.getByRole('list', { name: 'Activity' }).waitFor();
    expect(silent.count()).toBe(3);
  });

  it('a window that is opened after too many requests says so, and goes on by itself when it may', async () => {
    const page = await given().newPage();
    const asked = await refuse(page, REFRESH, { isRefused: theFirst(1), status: 429, retryAfterSeconds: 3 });
    await page.goto('/members');
    await page.getByRole('heading', { name: 'Too many requests' }).waitFor();
    expect(await page.getByText('too many requests from this address. This page goes on by itself').count()).toBe(1);
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    expect(asked.count()).toBe(2);
    await page.close();
  });

  it('where what is around the pages fails, the window says so and can be loaded again', async () => {
    const page = await given().newPage();
    await page.route(PROFILE, (route) => route.fulfill({ json: {} }));
    await page.goto('/members');
    await page.getByRole('heading', { name: 'The console could not be shown' }).waitFor();
    await page.unroute(PROFILE);
    await page.getByRole('button', { name: 'Load it again' }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    expect(await page.getByText('could not be shown').count()).toBe(0);
    await page.close();
  });

  it('a notice around the pages that fails is not shown, and takes nothing else down', async () => {
    const page = await given().newPage();
    await page.route(WARNINGS, (route) => route.fulfill({ json: {} }));
    const answered = page.waitForResponse(WARNINGS);
    await page.goto('/members');
    await (await answered).finished();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await toRepositories(page);
    await page.getByRole('heading', { name: 'Repositories', level: 1 }).waitFor();
    expect(await page.getByText('could not be shown').count()).toBe(0);
    await page.close();
  });

  it('a stream that could not begin begins by itself, and does not look live before', async () => {
    await using world = await openWorld(given());
    const { page } = world;
    const asked = await refuse(page, LOG, { isRefused: theFirst(2), status: 503 });
    await page.goto(`/environments/${given().environmentId}/logs`);
    const log = page.getByRole('region', { name: 'Log' });
    await page.getByRole('alert').getByText('Not now.').waitFor();
    expect(await log.getByText('Live', { exact: true }).count()).toBe(0);
    await log.getByText('Live', { exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(asked.count()).toBe(3);
  });

  it('what was done without an answer is said to be perhaps done, and shown without being asked for', async () => {
    await using world = await openWorld(given());
    const { page } = world;
    await page.route('**/api/organisations/invite', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByLabel('E-mail').fill('lost@example.org');
    await page.getByRole('button', { name: 'Create invitation' }).click();
    await page.getByRole('alert').getByText('it may have been done. Look before you try again.').waitFor();
    await page.getByRole('button', { name: 'Withdraw lost@example.org' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('button', { name: 'Withdraw lost@example.org' }).waitFor({ state: 'detached' });
    expect(world.loads()).toBe(0);
  });

  it('as late as the platform wants, or when somebody says so', async () => {
    await using world = await openWorld(given());
    const { page } = world;
    const asked = await refuse(page, ACTIVITY, { isRefused: theFirst(1), status: 503, retryAfterSeconds: 600 });
    await page.goto('/activity');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('list', { name: 'Activity' }).waitFor();
    expect(asked.count()).toBe(2);
  });
}

interface World extends AsyncDisposable {
  page: Page;
  /** How often the window was loaded anew since. */
  loads: () => number;
  /** How often it looked what the platform serves, as it does after each time that a page did not come. */
  looks: () => number;
}

async function openWorld({ newPage }: RecoveryWorld): Promise<World> {
  const page = await newPage();
  await page.goto('/members');
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  let [loads, looks] = [0, 0];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads++;
    else if (request.method() === 'GET' && isRoot(new URL(request.url()))) looks++;
  });
  return { page, loads: () => loads, looks: () => looks, [Symbol.asyncDispose]: () => page.close() };
}

interface Refusal {
  /** Of the so-manieth question, from 1 on. */
  isRefused: (count: number) => boolean;
  status: number | 'no answer';
  retryAfterSeconds?: number;
}

/** Counts all that is asked, refused or not. */
async function refuse(page: Page, url: RegExp | string, { isRefused, status, retryAfterSeconds }: Refusal) {
  let count = 0;
  const answer = (route: Route) => {
    count++;
    if (!isRefused(count)) return route.continue();
    if (status === 'no answer') return route.abort();
    const json = { message: 'Not now.', code: 'SV002' };
    const wait = retryAfterSeconds && { headers: { 'retry-after': String(retryAfterSeconds) } };
    return route.fulfill({ status, json, ...wait });
  };
  await page.route(url, answer);
  return { count: () => count, let: () => page.unroute(url, answer) };
}

const theFirst = (times: number) => (count: number) => count <= times;

/** As the console asks for it; not as a window that is loaded anew does. */
const isRoot = ({ pathname }: URL) => pathname === '/';

const toRepositories = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Repositories' }).click();
