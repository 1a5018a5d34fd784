import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

export interface ConnectionWorld {
  /** Opens a tab of a server. */
  open(tab: string): Promise<Page>;
  /** Has the server write a line. */
  say(text: string): Promise<unknown>;
}

/** Until a page has looked for news, and again. */
const NOTICED = { timeout: 30_000 };
/** How long a stream may wait before it tries again. */
const FOLLOWED_AGAIN = { timeout: 60_000 };

/** What pages say while nobody answers. Call it within a `describe`. */
export function testConnection(world: () => ConnectionWorld): void {
  it.each(['', '/settings'])('that it is gone is said by the tab %j until answers come again', async (tab) => {
    const page = await world().open(tab);
    const line = lostIn(page);
    expect(await line.count()).toBe(0);
    await page.context().setOffline(true);
    await line.waitFor(NOTICED);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('navigation', { name: 'Parts of this page' }).count()).toBe(1);
    await page.context().setOffline(false);
    await line.waitFor({ ...NOTICED, state: 'detached' });
  });

  it('a question that is neither answered nor refused is asked again when answers come again', async () => {
    const page = await world().open('');
    // As where a laptop slept: what is sent goes nowhere, and nobody says so.
    await page.route(({ pathname }) => pathname === '/' || pathname.startsWith('/api/'), swallow);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API keys' }).click();
    const waiting = page.getByRole('region', { name: 'Keys' }).getByText('Loading…');
    await waiting.waitFor();
    await lostIn(page).waitFor(NOTICED);
    expect(await waiting.count()).toBe(1);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await waiting.waitFor({ ...NOTICED, state: 'detached' });
    await lostIn(page).waitFor({ ...NOTICED, state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('a log that is followed does not look live meanwhile, and goes on afterwards', async () => {
    const page = await world().open('/logs');
    const log = page.getByRole('group', { name: 'Lines of the log' });
    await world().say('before the cut');
    await log.getByText('before the cut').waitFor();
    await page.context().setOffline(true);
    await lostIn(page).waitFor(NOTICED);
    await page.getByText('Connecting again…').waitFor(NOTICED);
    await world().say('during the cut');
    await page.context().setOffline(false);
    await log.getByText('during the cut').waitFor(FOLLOWED_AGAIN);
    await page.getByRole('region', { name: 'Log' }).getByText('Live', { exact: true }).waitFor();
    expect(await log.getByText('before the cut').count()).toBe(1);
    await lostIn(page).waitFor({ ...NOTICED, state: 'detached' });
  });

  it('a log in a hidden tab leaves its connection to others, and goes on where it was', async () => {
    const page = await world().open('/logs');
    const log = page.getByRole('group', { name: 'Lines of the log' });
    await world().say('before it is hidden');
    await log.getByText('before it is hidden').waitFor();
    const left = page.waitForEvent('requestfailed', (request) => request.url().includes('/logs/stream'));
    await pretend(page, 'hidden');
    await left;
    await world().say('while it is hidden');
    await pretend(page, 'visible');
    await log.getByText('while it is hidden').waitFor();
    expect(await log.getByText('before it is hidden').count()).toBe(1);
    await page.getByRole('region', { name: 'Log' }).getByText('Live', { exact: true }).waitFor();
  });
}

const swallow = () => {};

/** A browser without a screen hides nothing by itself. */
const pretend = (page: Page, visibility: 'hidden' | 'visible') =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, visibility);

const lostIn = (page: Page) => page.getByText('No connection to the platform. This page may be out of date');
