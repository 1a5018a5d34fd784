import { consolePaths } from '../contract/src/console-paths.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from './acknowledged-writes.ts';
import { desktop, launchBrowser, openVisitor, phone, type Visitor } from './console-browser.ts';
import { seriousFaults } from './console-faults.ts';
import * as steps from './console-steps.ts';
import { connectTo, createDatabases } from './databases.ts';
import { createDeployer } from './deploying.ts';
import { type Platform, startPlatform, until } from './platform.ts';

/** Every page with something on it, wide and narrow, light and dark; and the names on it as long as they may be. */
const longName = (beginning: string) => beginning.padEnd(100, 'o');
const invited = 'grace@example.org';
let platform: Platform;
let browser: Browser;
let visitor: Visitor;
let invitation: string;
let setupFaults: string[];
const ids: Record<string, string> = {};
beforeAll(async () => {
  [platform, browser] = await Promise.all([startPlatform({ env: { LILAC_RATE_LIMIT: '1000000' } }), launchBrowser()]);
  // While the link can still be used.
  setupFaults = await asStranger(async (page) => {
    await page.goto(platform.setupLink!);
    await page.getByRole('heading', { name: 'Welcome to Lilac' }).waitFor();
    return await faultsOf(page);
  });
  const deployer = createDeployer(platform, await createAccount(platform));
  const { client, targetOrganisationId } = deployer;
  const databases = createDatabases(deployer);
  const databaseId = await databases.create(longName('orders'));
  const application = await deployer.createFromFiles(longName('Shop'), { 'index.html': '<h1>Shop</h1>' });
  await client.call('organisations.update', { body: { targetOrganisationId, name: longName('Acme') } });
  await client.call('projects.create', { body: { targetOrganisationId, name: longName('Folder') } });
  await client.call('api-keys.create', { body: { targetOrganisationId, name: longName('key') } });
  invitation = (await client.call('organisations.invite', { body: { targetOrganisationId, email: invited } })).url;
  const deploymentId = (await deployer.newest(application)).id;
  await Promise.all([deployer.healthy(deploymentId), databases.settled(databaseId)]);
  const connection = await connectTo(await databases.url(databaseId));
  await connection.query('create table customers (id serial primary key, name text)');
  await connection.query("insert into customers (name) values ('Grace')");
  await connection.close();
  const ofDatabase = { targetOrganisationId, databaseId };
  await client.call('databases.backup', { body: ofDatabase });
  await until('there is a backup', async () =>
    (await client.call('databases.backups', { body: ofDatabase })).some(({ status }) => status === 'ready'),
  );
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

async function asStranger<T>(look: (page: Page) => Promise<T>): Promise<T> {
  const { page, context } = await openVisitor(browser, { url: platform.url });
  const seen = await look(page);
  await context.close();
  return seen;
}

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
    await asStranger(async (page) => {
      await page.goto('/sign-in');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
    });
  });
});

describe('nor of what a link leads to', () => {
  it('the first account', () => expect(setupFaults).toEqual([]));

  it('the same link, for whoever has an account already', async () => {
    const { page } = visitor;
    await page.goto(platform.setupLink!);
    await page.getByRole('heading', { name: 'Lilac is set up already' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('an invitation', async () => {
    await asStranger(async (page) => {
      await page.goto(invitation);
      await page.getByRole('heading', { name: 'You are invited' }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
    });
  });
});

/** Each is opened by pressing what has that name. */
const dialogs: [path: string, button: string | RegExp][] = [
  ['/members', `Withdraw ${invited}`],
  ['/databases/:databaseId/settings', /^Delete orders/],
  ['/apps/:applicationId', 'New environment'],
  ['/environments/:environmentId', 'Upload a new version'],
  ['/databases/:databaseId/data', 'Edit row 1'],
  ['/databases/:databaseId/backups', /^Restore the backup/],
];

describe('nor what a page asks', () => {
  it.each(dialogs)('%s: %s', async (path, button) => {
    const { page } = visitor;
    await page.goto(addressOf(path));
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('dialog').filter({ visible: true }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('variables that were pasted, and what saving them would change', async () => {
    const { page } = visitor;
    await page.goto(addressOf('/environments/:environmentId/variables'));
    await page.getByRole('button', { name: 'Add a variable' }).click();
    await page.getByLabel(/^Name of/).evaluate(
      (field, text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      `GREETING=hello\n${longName('L').toUpperCase()}=${longName('value')}`,
    );
    await page.getByRole('button', { name: 'Review 2 changes' }).click();
    await page.getByRole('button', { name: 'Show values' }).click();
    expect(await faultsOf(page)).toEqual([]);
  });
});
