import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGitHost, type GitHost } from '../../server/src/testing/git-host.ts';
import { createAccount } from '../acknowledged-writes.ts';
import { testApplicationSettings } from './application-settings.ts';
import { desktop, launchBrowser, openVisitor, phone, type Visitor } from './browser.ts';
import { seriousFaults } from './faults.ts';
import { focused } from './focus.ts';
import { testLateDeletion } from './late-answers.ts';
import { testLongList } from './long-list.ts';
import { testNames } from './names.ts';
import { testPeople } from './people.ts';
import * as steps from './steps.ts';
import { type Application, createDeployer, type Deployer, visit, zip } from '../deploying.ts';
import { type Platform, startPlatform, until } from '../platform.ts';

/** The list of applications, one of them, its settings, and what was done: on one platform, wide and narrow. */
const repository = 'acme/shop';
const scratch = mkdtempSync(join(tmpdir(), 'lilac-dropped-'));

let platform: Platform;
let host: GitHost;
let browser: Browser;
let deployer: Deployer;
let shop: Application;
let site: Application;
let wide: Visitor;

const signIn = async (visitor: Visitor) => {
  await visitor.page.goto('/sign-in');
  await steps.signIn(visitor.page, { email: 'ada@example.org', password: 'a long pass phrase' });
  await visitor.page.getByRole('heading', { name: 'Applications' }).waitFor();
};

const rowOf = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Applications' }).getByRole('listitem', { name, exact: true });
const folder = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Folders' }).getByRole('button', { name, exact: true });

/** The page has gone to a deployment: how that ended. */
async function watched(page: Page): Promise<string> {
  await page.waitForURL('**/deployments/*');
  return (await deployer.healthy(new URL(page.url()).pathname.split('/').at(-1)!)).status;
}

beforeAll(async () => {
  host = await startGitHost();
  [platform, browser] = await Promise.all([
    startPlatform({ env: { LILAC_VCS_URL: host.url, LILAC_RATE_LIMIT: '1000000' } }),
    launchBrowser(),
  ]);
  deployer = createDeployer(platform, await createAccount(platform));
  wide = await openVisitor(browser, { url: platform.url, viewport: desktop });
  await signIn(wide);
});
afterAll(async () => {
  await browser?.close();
  await platform?.[Symbol.asyncDispose]();
  await host?.[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true });
});

describe('the list of applications', () => {
  it('shows the ways to deploy while there is none', async () => {
    const { page } = wide;
    await page.getByRole('heading', { name: 'Nothing runs here yet' }).waitFor();
    expect(await page.getByRole('region', { name: /^From a (repository|zip or a folder|terminal)$/ }).count()).toBe(3);
    expect(await page.getByLabel('Commands', { exact: true }).textContent()).toContain(`lilac login ${platform.url}\n`);
    expect(await seriousFaults(page)).toEqual([]);
  });

  it('a zip that is dropped there goes along to the page that deploys it, which tells how much of it is sent', async () => {
    const { page } = wide;
    const archive = join(scratch, 'brought.zip');
    writeFileSync(archive, await zip({ 'index.html': '<h1>brought</h1>', 'picture.bin': randomBytes(1_000_000) }));
    const percents = await steps.watchProgress(page);
    const hurry = await steps.slowDownSending(page, 800_000);
    await steps.dropFiles(page, archive);
    await page.getByText('brought.zip').waitFor();
    await hurry();
    const between = (await percents()).filter((percent) => percent > 0 && percent < 100);
    expect(between.length).toBeGreaterThan(1);
    expect(between).toEqual(between.toSorted((one, other) => one - other));
    expect(page.url()).toBe(`${platform.url}/new?from=zip`);
    await page.goto('/');
  });

  it('a sample is deployed by one press', async () => {
    const { page } = wide;
    await page.getByRole('button', { name: 'Deploy a sample' }).click();
    expect(await watched(page)).toBe('healthy');
    await steps.goTo(page, 'Applications');
    await rowOf(page, 'Hello Lilac').getByText('healthy').waitFor();
  });

  it('shows by itself what came to be: state, address, last deployment', async () => {
    const { page } = wide;
    await host.createRepository(repository, { 'build.sh': "mkdir -p out; echo '<p>shop</p>' > out/index.html\n" });
    const sha = await host.commit(repository, { files: { 'more.txt': 'more' }, message: 'Sell more things' });
    await host.commit(repository, { files: { 'next.txt': 'next' }, message: 'Try it', branch: 'next' });
    shop = await deployer.createFromRepository('Shop', `${host.url}/${repository}`, {
      deploymentType: 'static',
      buildCommand: 'sh build.sh',
      outputDirectory: 'out',
    });
    site = await deployer.createFromFiles('Site', { 'index.html': '<h1>site</h1>' });
    await deployer.healthy((await deployer.newest(shop)).id);
    await deployer.healthy((await deployer.newest(site)).id);
    await steps.lookAgain(page);
    const row = rowOf(page, 'Shop');
    await row.getByText('healthy').waitFor({ timeout: 40_000 });
    expect(await row.getByRole('link', { name: /opens a new tab/ }).getAttribute('href')).toBe(shop.url);
    await row.getByRole('link', { name: 'Sell more things' }).waitFor();
    await row.getByText(sha.slice(0, 7)).waitFor();
    await row.getByText(/\d requests? in the last hour/).waitFor();
  });

  it('is searched and ordered, and a reload keeps that', async () => {
    const { page } = wide;
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('sho');
    await rowOf(page, 'Site').waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Name');
    expect(new URL(page.url()).search).toBe('?q=sho&sort=name');
    await page.reload();
    await rowOf(page, 'Shop').waitFor();
    expect(await rowOf(page, 'Site').count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('nothing like it');
    await page.getByText('No application is called like “nothing like it”.').waitFor();
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('');
    await rowOf(page, 'Site').waitFor();
    const items = page.getByRole('list', { name: 'Applications' }).getByRole('listitem');
    expect(await items.evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')))).toEqual([
      'Hello Lilac',
      'Shop',
      'Site',
    ]);
  });

  it('has no page beyond the last: whose list became shorter is led there', async () => {
    const { page } = wide;
    const address = new URL(page.url());
    await page.goto(`${address.origin}${address.pathname}?page=7`);
    await rowOf(page, 'Shop').waitFor();
    expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
  });

  it('is kept in folders: made, filled, renamed, and deleted without what is in them', async () => {
    const { page } = wide;
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Customers');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Move applications' }).click();
    await rowOf(page, 'Shop').getByRole('combobox', { name: 'Folder of Shop' }).selectOption('Customers');
    await folder(page, 'Customers').click();
    await rowOf(page, 'Site').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Rename Customers' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Clients');
    await page.keyboard.press('Enter');
    await folder(page, 'Clients').waitFor();
    await page.getByRole('button', { name: 'Delete folder Clients' }).click();
    await steps.confirmDialog(page, 'Delete folder');
    await page.getByRole('group', { name: 'Folders' }).waitFor({ state: 'detached' });
    await rowOf(page, 'Site').waitFor();
    expect(await rowOf(page, 'Shop').count()).toBe(1);
    expect(await focused(page)).toBe('Applications');
  });
});

describe('names in the list', () => {
  testNames(() => wide.page);
});

describe('a new archive of an application that was uploaded', () => {
  it('is chosen, sent and deployed; who reloads the page while it is sent is asked', async () => {
    const { page } = wide;
    const isAsked = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
    const held = Promise.withResolvers<void>();
    const holdFile = async (route: Route) => {
      if (route.request().method() === 'PUT') await held.promise;
      await route.fallback();
    };
    await page.route('**', holdFile);
    const sending = page.waitForRequest((request) => request.method() === 'PUT');
    await steps.lookAgain(page);
    await rowOf(page, 'Site').getByRole('link', { name: 'Site', exact: true }).click();
    await page.getByRole('button', { name: 'Upload a new version' }).click();
    await steps.chooseZip(page, 'site.zip', await zip({ 'index.html': '<h1>new</h1>' }));
    await sending;
    expect(await isAsked()).toBe(true);
    held.resolve();
    expect(await watched(page)).toBe('healthy');
    expect(await isAsked()).toBe(false);
    await page.unroute('**', holdFile);
    expect((await visit(site.url)).body).toContain('new');
    await steps.goTo(page, 'Applications');
  });
});

describe("an application's page", () => {
  it('gets an environment for another branch, which is deployed at once', async () => {
    const { page } = wide;
    await rowOf(page, 'Shop').getByRole('link', { name: 'Shop', exact: true }).click();
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'New environment' }).click();
    const form = page.getByRole('form', { name: 'New environment' });
    await form.getByLabel('Name', { exact: true }).fill('preview');
    await form.getByText(/^It will be at shop\S*-preview\./).waitFor();
    await form.getByRole('button', { name: 'Change branch' }).click();
    await form.getByRole('option', { name: 'main chosen', selected: true }).waitFor();
    await page.keyboard.press('Escape');
    await form.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('preview');
    await until('the focus is where it was', async () => (await focused(page)).includes('Change branch'));
    await page.keyboard.press('Enter');
    await form.getByRole('option', { name: 'next' }).waitFor();
    await page.keyboard.type('next');
    await page.keyboard.press('Enter');
    await form.getByRole('button', { name: 'Create environment' }).click();
    expect(await watched(page)).toBe('healthy');
    await until('the heading has the focus', async () => (await focused(page)) === (await steps.headingOf(page)));
    await page.goto(`/apps/${shop.id}`);
    const row = page.getByRole('list', { name: 'Environments' }).getByRole('listitem', { name: 'preview' });
    await row.getByRole('link', { name: 'Try it' }).waitFor();
    await row.getByText('healthy').waitFor();
  });

  it('its environments stand in line, whether or not a row has a button of its own', async () => {
    const { page } = wide;
    const served = page.getByRole('list', { name: 'Environments' }).locator('.served');
    await served.nth(1).waitFor();
    const lefts = await served.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().left)));
    expect(lefts).toEqual([lefts[0], lefts[0]]);
  });

  it('a name that is taken is refused, and what was typed stays', async () => {
    const { page } = wide;
    await page.getByRole('button', { name: 'New environment' }).click();
    const form = page.getByRole('form', { name: 'New environment' });
    await form.getByRole('button', { name: 'Change branch' }).waitFor();
    await form.getByLabel('Name', { exact: true }).fill('preview');
    await page.keyboard.press('Enter');
    await form.getByRole('alert').waitFor();
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('preview');
    await form.getByRole('button', { name: 'Cancel' }).click();
    // Said by the browser of the refusal that was asked for.
    expect(wide.problems.splice(0).filter((problem) => !problem.includes('/api/environments/create'))).toEqual([]);
  });

  it('is deployed with one press', async () => {
    const { page } = wide;
    await page.getByRole('button', { name: 'Deploy production' }).click();
    expect(await watched(page)).toBe('healthy');
  });
});

describe('the settings of an application', () => {
  beforeAll(() => host.createRepository('acme/other', { 'build.sh': 'mkdir out; echo other > out/index.html\n' }));
  testApplicationSettings(() => ({ deployer, shop, page: wide.page, other: `${host.url}/acme/other` }));

  it('nothing went wrong behind them, but for the repository that is not there', () => {
    const strange = wide.problems.splice(0).filter((problem) => !problem.includes('/api/applications/update'));
    expect(strange).toEqual([]);
  });
});

describe.each([
  ['a desktop', desktop, 'light'],
  ['a phone', phone, 'dark'],
] as const)('on %s', (_name, viewport, colorScheme) => {
  it('every page fits, and keeps nobody out', async () => {
    const visitor = await openVisitor(browser, { url: platform.url, viewport, colorScheme });
    const { page } = visitor;
    await signIn(visitor);
    const check = async () => {
      await steps.settle(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(await seriousFaults(page)).toEqual([]);
    };
    await rowOf(page, 'Store').waitFor();
    await check();
    await page.goto(`/apps/${shop.id}`);
    await page.getByRole('list', { name: 'Environments' }).getByRole('link', { name: 'Try it' }).waitFor();
    await check();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Delete Store' }).waitFor();
    await check();
    await page.goto('/activity');
    await page.getByRole('list', { name: 'Activity' }).waitFor();
    await check();
    expect(visitor.problems).toEqual([]);
    await visitor.context.close();
  });
});

describe('the activity', () => {
  it('says what was done by whom, and leads there', async () => {
    const { page } = wide;
    await page.goto('/activity');
    const entry = page.getByRole('list', { name: 'Activity' }).getByRole('listitem').filter({
      hasText: 'Application renamed',
    });
    await entry.getByText('ada@example.org').waitFor();
    await entry.getByRole('link', { name: 'Store' }).click();
    await page.getByRole('heading', { name: 'Store', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/apps/${shop.id}`);
  });

  it('an application is deleted by who types its name', async () => {
    const { page } = wide;
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Delete Store' }).click();
    const dialog = page.getByRole('dialog');
    for (const typed of ['', 'Stor', 'Stores', 'Site']) {
      await dialog.getByLabel('Type Store to confirm').fill(typed);
      expect([typed, await dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled()]).toEqual([
        typed,
        true,
      ]);
    }
    await dialog.getByLabel('Type Store to confirm').fill('Store');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
    await rowOf(page, 'Site').waitFor();
    await rowOf(page, 'Store').waitFor({ state: 'detached', timeout: 30_000 });
    expect(wide.problems).toEqual([]);
  });

  testLateDeletion(() => ({ visitor: wide, deployer }));
});

describe('a long list', () => {
  testLongList(() => wide.page);
});

describe('people', () => {
  testPeople(() => ({ browser, platform, deployer, owner: wide }));
});
