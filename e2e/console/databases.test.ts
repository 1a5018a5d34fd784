import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { desktop, launchBrowser, openVisitor, phone, type Visitor } from './browser.ts';
import { seriousFaults } from './faults.ts';
import { focused } from './focus.ts';
import { testLateDatabase } from './late-answers.ts';
import { testMadeValues } from './made-values.ts';
import { testNetworks } from './networks.ts';
import { testOrganisation } from './organisation.ts';
import { testDatabaseDrafts } from './database-drafts.ts';
import { testDatabaseSettings } from './database-settings.ts';
import { cellsOf, renameFirst, testRows } from './rows.ts';
import { testStatements } from './statements.ts';
import * as steps from './steps.ts';
import { type DatabaseWorld, openDatabaseWorld } from '../database-world.ts';
import { ask } from '../databases.ts';
import type { Application } from '../deploying.ts';
import { until } from '../platform.ts';

/** Databases in the console, on a real platform: made, used, backed up, restored, changed and deleted. */
const ada = { email: 'ada@example.org', password: 'a long pass phrase' };

let world: DatabaseWorld;
let browser: Browser;
let visitor: Visitor;
let application: Application;
let databaseId: string;
const folder = mkdtempSync(join(tmpdir(), 'lilac-dumps-'));

beforeAll(async () => {
  [world, browser] = await Promise.all([openDatabaseWorld(), launchBrowser()]);
  application = await world.deployer.createFromFiles('Shop', { 'index.html': '<p>shop</p>' });
  visitor = await openVisitor(browser, { url: world.platform.url });
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await visitor.page.goto('/sign-in');
  await steps.signIn(visitor.page, ada);
  await visitor.page.getByRole('heading', { name: 'Applications' }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const healthy = (page: Page) => page.locator('.page-head').getByText('healthy', { exact: true }).waitFor();
const idOf = (page: Page) => new URL(page.url()).pathname.split('/')[2]!;

async function open(tab = '', id = databaseId): Promise<Page> {
  await visitor.page.goto(`/databases/${id}${tab}`);
  return visitor.page;
}

describe('a new database', () => {
  it('is made from an empty list, and followed step by step until it is there, by what the platform tells', async () => {
    const page = await visitor.openTab();
    await steps.stopRefreshing(page);
    await page.goto('/databases');
    const percents = await steps.watchProgress(page);
    await page.getByRole('link', { name: 'Create a database' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Orders');
    await page.getByLabel('Storage (GB)').fill('1');
    const warning = page.getByText('Everybody on the network can try to connect to it');
    const address = page.getByRole('checkbox', { name: /^Public address/ });
    await page.getByText('it can have a public address at any time').waitFor();
    expect([await address.isChecked(), await warning.count()]).toEqual([false, 0]);
    await address.check();
    await warning.waitFor();
    await page.getByLabel('Networks that may connect').fill('nonsense');
    expect(await warning.count()).toBe(0);
    await page.getByRole('button', { name: 'Create database' }).click();
    await page.getByRole('alert').getByText('nonsense').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Orders');
    await page.getByLabel('Networks that may connect').fill('127.0.0.0/8\n::1/128');
    await page.getByRole('button', { name: 'Create database' }).click();
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    await page.getByRole('progressbar', { name: /^Setting up: / }).waitFor();
    await healthy(page);
    const moved = (await percents()).filter((percent) => percent > 0);
    expect(moved.length).toBeGreaterThan(1);
    expect(moved).toEqual(moved.toSorted((one, other) => one - other));
    databaseId = idOf(page);
    await page.close();
  });

  it('is not offered in a size that this machine has not, and one that is asked for all the same is refused in words', async () => {
    const { page } = visitor;
    const path = '**/api/config/platform';
    await page.route(path, async (route) => {
      const response = await route.fetch();
      const catalogue = (await response.json()) as { databaseTiers: { vcpu: number }[] };
      const databaseTiers = catalogue.databaseTiers.map((tier) => ({ ...tier, available: tier.vcpu < 8 }));
      await route.fulfill({ response, json: { ...catalogue, databaseTiers } });
    });
    await page.goto('/databases/new');
    expect(await page.getByRole('radio', { name: /^8 vCPU.*More than this machine has/ }).isDisabled()).toBe(true);
    expect(await page.getByRole('radio', { name: /^4 vCPU/ }).isDisabled()).toBe(false);
    await page.unroute(path);
    await page.getByLabel('Name', { exact: true }).fill('Giant');
    await page.getByRole('radio', { name: /^Another size/ }).check();
    await page.getByLabel('vCPU', { exact: true }).fill('96');
    await page.getByRole('button', { name: 'Create database' }).click();
    await page.getByRole('alert').getByText('a tier of 96 vCPU and 1024 MB is more than that').waitFor();
  });

  it('says its address only to who asks, and hides it again', async () => {
    const asked: string[] = [];
    visitor.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const page = await open();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await steps.settle(page);
    expect(asked).not.toContain('/api/databases/connection-string');
    await page.getByRole('button', { name: 'Show the connection string' }).click();
    const url = await page.getByLabel('Connection string', { exact: true }).inputValue();
    expect(await ask(url, 'select 41 + 1')).toBe('42');
    await page.getByRole('button', { name: 'Hide it again' }).click();
    expect(await page.content()).not.toContain(new URL(url).password);
  });

  it('copies its address for who does not want to see it', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Copy it', exact: true }).click();
    await page.getByRole('status').getByText('Copied', { exact: true }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(await ask(copied, 'select 41 + 1')).toBe('42');
    expect(await page.content()).not.toContain(new URL(copied).password);
  });

  it('tells what it used as far back as is asked, and the address keeps that', async () => {
    const page = await open();
    const week = page.getByRole('group', { name: 'Range' }).getByRole('button', { name: '7 days' });
    const asked = page.waitForRequest(
      (request) =>
        request.url().endsWith('/api/databases/metrics') &&
        (request.postDataJSON() as { timeRange: string }).timeRange === '7d',
    );
    await week.click();
    expect((await (await asked).response())!.status()).toBe(200);
    await page.getByRole('figure', { name: 'Connections, on average' }).waitFor();
    await page.reload();
    expect(await week.getAttribute('aria-pressed')).toBe('true');
  });

  it('gives an environment its address, found among more applications than a list holds, and takes it away', async () => {
    await world.deployer.createFromFiles('Archive', { 'index.html': '<p>archive</p>' });
    await visitor.page.route('**/api/applications', (route) =>
      route.continue({ postData: { ...(route.request().postDataJSON() as object), limit: 1 } }),
    );
    const page = await open();
    await page.getByText('Connect an environment', { exact: true }).click();
    await page.getByRole('button', { name: 'Change application' }).click();
    await page.getByText('type to find others').waitFor();
    expect(await page.getByRole('option', { name: /^Shop/ }).count()).toBe(0);
    await page.keyboard.type('sho');
    await page.getByRole('option', { name: /^Shop/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.unroute('**/api/applications');
    // They are asked for anew.
    await page
      .getByRole('combobox', { name: 'Environment', exact: true })
      .getByText('production')
      .waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    const list = page.getByRole('list', { name: 'Connected environments' });
    await list.getByRole('link', { name: 'Shop / production' }).waitFor();
    expect(await list.getByRole('link').getAttribute('href')).toBe(`/environments/${application.environmentId}`);
    await page.getByRole('button', { name: 'Disconnect Shop / production' }).click();
    await steps.confirmDialog(page, 'Disconnect');
    await list.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Connected environments');
  });
});

describe('statements', () => {
  testStatements({
    open: () => open('/query'),
    account: ada,
    askDatabase: async (text) => ask(await world.databases.url(databaseId), text),
  });
});

describe('rows', () => {
  testRows(() => open('/data'));
  testMadeValues({
    open: (query) => open(`/data?${query}`),
    askDatabase: async (text) => ask(await world.databases.url(databaseId), text),
  });
});

async function leaveAndComeBack(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Query' }).click();
  await page.getByRole('heading', { name: 'Import' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Backups' }).click();
}

/** A file that is sent for ever, meanwhile another page is looked at. */
async function stopOnceBack(page: Page): Promise<void> {
  await page.route('**', (route) => (route.request().method() === 'PUT' ? undefined : route.fallback()));
  const sending = page.waitForRequest((request) => request.method() === 'PUT');
  await page.getByRole('button', { name: 'Import into Orders of before' }).click();
  await sending;
  await leaveAndComeBack(page);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Sign out while a file is sent?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await question.waitFor({ state: 'hidden' });
  await page.getByRole('progressbar', { name: 'Sending the file' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Nothing was imported').waitFor();
  await page.unroute('**');
}

describe('backups and dumps', () => {
  it('a backup is restored into a new database, and that one takes a dump in again', async () => {
    const page = await open('/backups');
    await page.getByRole('button', { name: 'Make a dump' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the dump' }).click(),
    ]);
    const dump = join(folder, 'orders.sql.gz');
    await download.saveAs(dump);
    await page.getByRole('link', { name: 'Query' }).click();
    await page.getByLabel('SQL').waitFor();
    await page.getByRole('link', { name: 'Backups' }).click();
    await page.getByRole('link', { name: 'Download the dump' }).waitFor();
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByRole('button', { name: /^Restore the backup/ }).click();
    await page.getByLabel('Name of the new database').fill('Orders of before');
    await page.getByRole('button', { name: 'Restore into a new database' }).click();
    await page.getByRole('heading', { name: 'Orders of before', level: 1 }).waitFor();
    await healthy(page);
    const restored = idOf(page);
    const url = await world.databases.url(restored);
    expect(await ask(url, 'select count(*), min(name) from item')).toBe('60|First');
    await ask(url, 'drop table item');
    await open('/backups', restored);
    await page.getByLabel('File to import').locator('input').setInputFiles(dump);
    await page.getByText('cannot be cancelled once it runs').waitFor();
    await stopOnceBack(page);
    await page.getByRole('button', { name: 'Import into Orders of before' }).click();
    await leaveAndComeBack(page);
    // While it is sent, and before its table is there, nothing else tells that it has begun.
    const countRows = () => ask(url, 'select count(*) from item').catch(() => null);
    await until('the rows are back', async () => (await countRows()) === '60');
    const card = page.getByRole('region', { name: 'Import' });
    await card.getByText('The import is done').waitFor();
    await card.getByLabel('File to import').locator('input').setInputFiles(dump);
    await page.getByRole('button', { name: 'Import into Orders of before' }).click();
    await card.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').count()).toBe(1);
    await card.getByRole('button', { name: 'Dismiss' }).click();
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

describe('the organisation', () => {
  testOrganisation(() => ({ page: visitor.page, deployer: world.deployer }));
});

describe('drafts', () => {
  testDatabaseDrafts(() => ({ page: visitor.page, databaseId }));
  testLateDatabase(() => ({ page: visitor.page, deployer: world.deployer }));
});

describe('settings', () => {
  testNetworks(() => open('/settings'));
  testDatabaseSettings(() => ({ page: visitor.page, databases: world.databases, databaseId }));

  it('storage grows, and the password changes at once', async () => {
    const before = await world.databases.url(databaseId);
    const page = await open('/settings');
    await page.getByRole('spinbutton', { name: 'Storage (GB)' }).fill('2');
    await page.getByRole('button', { name: 'Grow' }).click();
    const question = page.getByRole('dialog', { name: 'Grow the storage of Orders to 2 GB?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('It has 1 GB now.', { exact: true }).waitFor();
    expect((await world.databases.get(databaseId)).storage_gb, 'nothing was done yet').toBe(1);
    await page.getByRole('button', { name: 'Grow' }).click();
    await question.getByText('this cannot be taken back').waitFor();
    await question.getByRole('button', { name: 'Grow' }).click();
    await page.getByText('It has 2 GB now.', { exact: true }).waitFor();
    await healthy(page);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Change the password' }).click();
    const url = await page.getByLabel('New connection string', { exact: true }).inputValue();
    expect(await ask(url, 'select 1')).toBe('1');
    await expect(ask(before, 'select 1')).rejects.toThrow(/password/);
    await page.getByRole('button', { name: 'Hide it' }).click();
    expect(await page.content()).not.toContain(new URL(url).password);
  });
});

it('what is switched off is not shown', async () => {
  const map = { data_explorer: false, database_dump: false, provider2: false, provider3: false };
  await visitor.page.route('**/api/config/feature-flags', (route) => route.fulfill({ json: { flags: [], map } }));
  const page = await open('/backups');
  await page.getByRole('heading', { name: 'Backups', level: 2 }).waitFor();
  await page.getByRole('list', { name: 'Backups' }).waitFor();
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).not.toContain('Dump');
  expect(await page.getByRole('link', { name: 'Query' }).count()).toBe(0);
  await page.unroute('**/api/config/feature-flags');
});

it('while nobody knows what is switched on, that is said in place of the tab, and it comes when it is asked again', async () => {
  const { page } = visitor;
  const path = '**/api/config/feature-flags';
  const held = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await held.promise;
    await route.fulfill({ status: 500, json: { error: 'Not now.', code: 'SV001' } });
  });
  await open('/query');
  await page.getByRole('main').getByText('Loading…').waitFor();
  held.resolve();
  await page.getByRole('main').getByRole('alert').waitFor();
  expect(await page.getByLabel('SQL').count()).toBe(0);
  await page.unroute(path);
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await again.click();
  await page.getByLabel('SQL').waitFor();
});

describe.each([
  ['a desktop', desktop],
  ['a phone', phone],
])('on %s', (_name, viewport) => {
  it.each(['', '/data', '/query', '/backups', '/settings'])('%s fits, and can be used by everybody', async (tab) => {
    await visitor.page.setViewportSize(viewport);
    const page = await open(tab);
    await page.getByRole('heading', { level: 2 }).first().or(page.getByLabel('SQL')).first().waitFor();
    await steps.settle(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(Math.max(0, overflow)).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
  });

  it.each(['/databases', '/databases/new'])('%s fits, and can be used by everybody', async (path) => {
    const { page } = visitor;
    await page.setViewportSize(viewport);
    await page.goto(path);
    await page.getByText(path === '/databases' ? 'Orders of before' : 'Micro, shared').waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(Math.max(0, overflow)).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
  });
});

it('on a phone one is made, and a row of another is changed', async () => {
  await visitor.page.setViewportSize(phone);
  await visitor.page.goto('/databases/new');
  await visitor.page.getByLabel('Name', { exact: true }).fill('Pocket');
  await visitor.page.getByLabel('Storage (GB)').fill('1');
  await visitor.page.getByRole('button', { name: 'Create database' }).click();
  await visitor.page.getByRole('heading', { name: 'Pocket', level: 1 }).waitFor();
  await healthy(visitor.page);
  const page = await open('/data');
  await renameFirst(page, 'Pocketed');
  expect((await cellsOf(page, 0)).slice(0, 2)).toEqual(['1', 'Pocketed']);
});

it('is deleted by who types its name', async () => {
  const page = await open('/settings');
  // What is unsaved of it is nothing to be asked about once it is gone.
  await page.getByRole('form', { name: 'Name' }).getByLabel('Name', { exact: true }).fill('Never saved');
  await page.getByRole('button', { name: 'Delete Orders' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Orders?' });
  for (const typed of ['', 'Order', 'Orders of before', 'orders', 'Never saved']) {
    await dialog.getByLabel('Type Orders to confirm').fill(typed);
    expect([typed, await dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled()]).toEqual([
      typed,
      true,
    ]);
  }
  await dialog.getByLabel('Type Orders to confirm').fill('Orders');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('heading', { name: 'Databases', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Orders of before' }).waitFor();
  await page.getByRole('link', { name: 'Orders', exact: true }).waitFor({ state: 'detached' });
  expect(await page.getByRole('link', { name: 'Orders of before' }).count()).toBe(1);
});

it('nothing went wrong behind the pages', () => {
  // What the platform refuses on purpose, the browser notes too.
  const refused =
    /status of 400 .*\/api\/databases\/(create|explorer\/(query|rows))$|status of 404 .*\/explorer\/schema$|ERR_FAILED .*\/rotate-password$|status of 500 .*\/feature-flags$/;
  expect(visitor.problems.filter((problem) => !refused.test(problem))).toEqual([]);
});
