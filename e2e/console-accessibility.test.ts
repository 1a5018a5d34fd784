import { consolePaths } from '../contract/src/console-paths.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from './acknowledged-writes.ts';
import { desktop, launchBrowser, openVisitor, phone, type Visitor } from './console-browser.ts';
import { seriousFaults } from './console-faults.ts';
import * as steps from './console-steps.ts';
import { createDatabases } from './databases.ts';
import { createDeployer } from './deploying.ts';
import { type Platform, startPlatform } from './platform.ts';

/** Every page with something on it, wide and narrow, light and dark. */
let platform: Platform;
let browser: Browser;
let visitor: Visitor;
const ids: Record<string, string> = {};
beforeAll(async () => {
  [platform, browser] = await Promise.all([startPlatform({ env: { LILAC_RATE_LIMIT: '1000000' } }), launchBrowser()]);
  const deployer = createDeployer(platform, await createAccount(platform));
  const application = await deployer.createFromFiles('Shop', { 'index.html': '<h1>Shop</h1>' });
  const databases = createDatabases(deployer);
  const databaseId = await databases.create('orders');
  const deploymentId = (await deployer.newest(application)).id;
  await Promise.all([deployer.healthy(deploymentId), databases.settled(databaseId)]);
  const { id: applicationId, environmentId } = application;
  Object.assign(ids, { applicationId, environmentId, deploymentId, databaseId });
  visitor = await openVisitor(browser, { url: platform.url });
  await visitor.page.goto('/sign-in');
  await steps.signIn(visitor.page, { email: 'ada@example.org', password: 'a long pass phrase' });
  await visitor.page.getByRole('heading', { name: 'Applications' }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await platform?.[Symbol.asyncDispose]();
});

const addressOf = (path: string) => path.replace(/:(\w+)/g, (_, name: string) => ids[name]!);

/** In both themes and both widths, without loading it anew: what differs is how it is drawn. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const [width, viewport] of [
    ['wide', desktop],
    ['narrow', phone],
  ] as const) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // Of what was looked at in light, the dark changes the colours alone.
      const onlyRules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
      faults.push(...(await seriousFaults(page, onlyRules)).map((fault) => `${width}, ${colorScheme}: ${fault}`));
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (overflow > 0) faults.push(`${width}: ${overflow} pixels wider than the window`);
  }
  return faults;
}

describe('nothing keeps anybody from using a page of the console', () => {
  it.each(consolePaths.filter((path) => path !== '/sign-in'))('%s', async (path) => {
    const { page } = visitor;
    await page.goto(addressOf(path));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await steps.settle(page);
    expect(await faultsOf(page)).toEqual([]);
  });

  it('the search and the list of keys', async () => {
    const { page } = visitor;
    await page.goto('/');
    await page.getByRole('heading', { name: 'Applications' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('option').first().waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('signing in', async () => {
    const stranger = await openVisitor(browser, { url: platform.url });
    await stranger.page.goto('/sign-in');
    await stranger.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await faultsOf(stranger.page)).toEqual([]);
    await stranger.context.close();
  });
});
