import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../acknowledged-writes.ts';
import { testBlocked } from './blocked.ts';
import { desktop, launchBrowser, openVisitor, phone, type Visitor } from './browser.ts';
import { testLostRole } from './lost-role.ts';
import { testNextPerson } from './next-person.ts';
import { testRecovery } from './recovery.ts';
import { testSession } from './session.ts';
import * as steps from './steps.ts';
import { createDeployer } from '../deploying.ts';
import { findFreePort, type Platform, startPlatform } from '../platform.ts';

/** What is around every page: the search, the keys, the theme, and how the session is kept. */
const ada = { email: 'ada@example.org', password: 'a long pass phrase' };

let platform: Platform;
let browser: Browser;
let environmentId: string;
let deploymentId: string;
beforeAll(async () => {
  const port = await findFreePort();
  // By its public name it is reached on plain http; at localhost as on https.
  const env = { LILAC_PUBLIC_URL: `http://lilac.test:${port}`, LILAC_APPS_DOMAIN: 'lilac.test' };
  [platform, browser] = await Promise.all([
    startPlatform({ port, env }),
    launchBrowser(['--host-resolver-rules=MAP lilac.test 127.0.0.1, MAP *.lilac.test 127.0.0.1']),
  ]);
  const deployer = createDeployer(platform, await createAccount(platform));
  const shop = await deployer.createFromFiles('Shop', { 'index.html': '<h1>Shop</h1>' });
  ({ environmentId } = shop);
  deploymentId = (await deployer.newest(shop)).id;
  await deployer.ended(deploymentId);
});
afterAll(async () => {
  await browser?.close();
  await platform?.[Symbol.asyncDispose]();
});

async function signedIn(viewport: typeof desktop, url = platform.url): Promise<Visitor> {
  const visitor = await openVisitor(browser, { url, viewport });
  await visitor.page.goto('/sign-in');
  await steps.signIn(visitor.page, ada);
  await visitor.page.getByRole('heading', { name: 'Applications' }).waitFor();
  return visitor;
}

describe.each([
  ['a desktop', desktop],
  ['a phone', phone],
])('around the pages on %s', (_name, viewport) => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await signedIn(viewport);
  });
  afterAll(() => visitor?.context.close());

  it('the search finds pages by a few letters, and Enter goes there', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.type('mem');
    await page.getByRole('option', { name: /^Members/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('the search finds an application and its environments, by the keys alone', async () => {
    const { page } = visitor;
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.type('shop');
    const environment = page.getByRole('option', { name: /^Shop \/ production/ });
    await environment.waitFor();
    for (let presses = 0; (await environment.getAttribute('aria-selected')) !== 'true'; presses++) {
      expect(presses).toBeLessThan(10);
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/environments/${environmentId}`);
  });

  it('the search finds environments by their own name alone, at once', async () => {
    const { page } = visitor;
    for (const [pasted, found] of [
      ['production', /^Shop \/ production Environment$/],
      ['production logs', /^Shop \/ production \/ Logs/],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill(pasted);
      await page.getByRole('option', { name: found, selected: true }).waitFor();
      expect(await page.getByRole('dialog').getByRole('option', { selected: true }).count()).toBe(1);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });

  it('what was chosen in the search stays chosen when more is found', async () => {
    const { page } = visitor;
    const { promise: chosen, resolve: answer } = Promise.withResolvers<void>();
    const hold = async (route: Route) => {
      await chosen;
      await route.continue();
    };
    await page.route('**/api/environments', hold);
    await page.goto('/members');
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('shop');
    await page.getByRole('option', { name: /^Shop Application/, selected: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    const selected = page.getByRole('dialog').getByRole('option', { selected: true });
    const keys = /^Keyboard shortcuts/;
    await page.getByRole('option', { name: keys, selected: true }).waitFor();
    answer();
    await page.getByRole('option', { name: /^Shop \/ production/ }).waitFor();
    expect(await selected.allTextContents()).toEqual([expect.stringMatching(keys)]);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.unroute('**/api/environments', hold);
  });

  it('the search finds the tabs of an environment', async () => {
    const { page } = visitor;
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('shop vari');
    await page.getByRole('option', { name: /^Shop \/ production \/ Variables/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/environments/${environmentId}/variables`);
    await page.getByRole('heading', { name: 'Variables', level: 2 }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('says when nothing is found, and Escape leaves the page as it was', async () => {
    const { page } = visitor;
    const address = page.url();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('xyzzy?');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.url()).toBe(address);
  });

  it('does not say that nothing is found while it is still looking, when Enter does nothing', async () => {
    const { page } = visitor;
    const address = page.url();
    const { promise: looked, resolve: answer } = Promise.withResolvers<void>();
    const hold = async (route: Route) => {
      await looked;
      await route.continue();
    };
    await page.route('**/api/environments', hold);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('zzy?');
    await page.getByRole('status').getByText('Searching…').waitFor();
    expect(await page.getByText('Nothing found.').count()).toBe(0);
    await page.keyboard.press('Enter');
    answer();
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.url()).toBe(address);
    await page.unroute('**/api/environments', hold);
  });

  it('a question mark lists the keys, except where it is typed', async () => {
    const { page } = visitor;
    await page.goto('/members');
    await page.getByLabel('E-mail').fill('');
    await page.keyboard.type('?');
    expect(await page.getByLabel('E-mail').inputValue()).toBe('?');
    await page.getByRole('heading', { name: 'Members', level: 1 }).focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('the theme is changed by a button and by the search, and stays over a reload', async () => {
    const { page } = visitor;
    const isDark = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme === 'dark');
    const button = page.getByRole('button', { name: /^Theme: / });
    await button.click();
    await page.getByRole('button', { name: /^Theme: light/ }).waitFor();
    expect(await isDark()).toBe(false);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('dark');
    await page.getByRole('option', { name: /^Theme: dark/, selected: true }).click();
    expect(await isDark()).toBe(true);
    await page.reload();
    await page.getByRole('button', { name: /^Theme: dark/ }).waitFor();
    expect(await isDark()).toBe(true);
    const barColour = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')]
        .filter(({ media }) => matchMedia(media).matches)
        .map(({ content }) => content),
    );
    expect(barColour).toEqual(['#16131c']);
  });

  it('the API reference is a link away', async () => {
    const tab = await visitor.openTab();
    await tab.goto('/');
    await tab.getByRole('link', { name: 'API reference' }).click();
    await tab.getByRole('heading', { name: 'Lilac API' }).waitFor();
    expect(new URL(tab.url()).pathname).toBe('/docs');
    await tab.close();
  });

  it('nothing went wrong behind the pages', () => {
    expect(visitor.problems).toEqual([]);
  });
});

describe('the session in a browser', () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await signedIn(desktop);
  });
  afterAll(() => visitor?.context.close());

  testSession(() => ({ browser, platform, visitor, account: ada }));
});

describe('who comes after somebody', () => {
  testNextPerson(() => ({ browser, platform, account: ada, deploymentId }));
});

describe('somebody with two organisations', () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await signedIn(desktop);
    await visitor.page.goto('/organisations/new');
    await visitor.page.getByRole('textbox', { name: 'Name' }).fill('Second');
    await visitor.page.keyboard.press('Enter');
    await visitor.page.getByRole('heading', { name: 'Applications' }).waitFor();
  });
  afterAll(() => visitor?.context.close());

  it('works in each of them in a tab of its own', async () => {
    const { page } = visitor;
    const other = await visitor.openTab();
    await other.goto('/');
    await other.getByRole('combobox', { name: 'Organisation' }).selectOption({ label: 'Acme' });
    await other.getByRole('link', { name: 'Shop', exact: true }).waitFor();
    await steps.goTo(page, 'Members');
    expect(await organisationOf(page)).toBe('Second');
    await page.reload();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    expect(await organisationOf(page)).toBe('Second');
    await other.close();
  });

  it('a link to something of the other one leads there, and says so', async () => {
    const { page } = visitor;
    await page.goto(`/environments/${environmentId}`);
    await page.getByText('This belongs to Acme').waitFor();
    await page.getByRole('link', { name: 'Variables' }).waitFor();
    expect(await organisationOf(page)).toBe('Acme');
  });

  it('switching on the page of one thing leads to the list of such things', async () => {
    const { page } = visitor;
    await page.getByRole('combobox', { name: 'Organisation' }).selectOption({ label: 'Second' });
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
    expect([new URL(page.url()).pathname, await organisationOf(page)]).toEqual(['/', 'Second']);
  });

  it('the keys only move in the list of organisations, and Enter chooses', async () => {
    const { page } = visitor;
    const list = page.getByRole('combobox', { name: 'Organisation' });
    await list.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await list.inputValue()).toBe(await list.locator('option', { hasText: 'Second' }).getAttribute('value'));
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Shop', exact: true }).waitFor();
    expect(await organisationOf(page)).toBe('Acme');
  });
});

describe('when something is in the way', () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await signedIn(desktop);
  });
  afterAll(() => visitor?.context.close());

  it('an address that is none shows a page that says so; a program is told in JSON', async () => {
    const { page } = visitor;
    expect((await page.goto('/nonsense'))?.status()).toBe(404);
    await page.getByRole('heading', { name: 'No such page' }).waitFor();
    const told = await fetch(`${platform.url}/nonsense`);
    expect([told.status, ((await told.json()) as { code: string }).code]).toEqual([404, 'NF002']);
  });

  it('what is typed while the search is being fetched is in it', async () => {
    const { page, context } = visitor;
    await page.goto('/');
    await page.getByRole('heading', { name: 'Applications' }).waitFor();
    const { promise: typed, resolve: letPass } = Promise.withResolvers<void>();
    await context.route(/palette.*\.js$/, async (route) => {
      await typed;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search' }).waitFor();
    await page.keyboard.type('mem');
    letPass();
    await page.getByRole('option', { name: /^Members/, selected: true }).waitFor();
    await page.keyboard.type('b');
    expect(await page.getByRole('combobox', { name: 'Search' }).inputValue()).toBe('memb');
    await page.keyboard.press('Escape');
    await context.unrouteAll();
  });

  it('one page of a list is not shown as another that cannot be had', async () => {
    const { page } = visitor;
    const path = '**/api/organisations/activity';
    await page.goto('/activity?page=2');
    await page.getByText('There is nothing older.').waitFor();
    await page.route(path, (route) => route.abort());
    await page.getByRole('button', { name: 'Newer' }).click();
    await page.getByText('The platform does not answer.').waitFor();
    expect(await page.getByText('There is nothing older.').count()).toBe(0);
    await page.unroute(path);
    await page.getByRole('list', { name: 'Activity' }).waitFor();
  });

  it('without a connection neither the search nor another page takes this one away', async () => {
    const { page, context } = visitor;
    await page.goto('/members');
    await page.getByLabel('E-mail').fill('half@typ');
    await context.route(/palette.*\.js$/, (route) => route.abort());
    await page.keyboard.press('Control+k');
    await page.getByText('This could not be loaded.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('E-mail').inputValue()).toBe('half@typ');
    await context.unrouteAll();
    await context.setOffline(true);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Repositories' }).click();
    await page.getByText('This page could not be shown.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The platform does not answer.').waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Repositories', level: 1 }).waitFor();
  });
});

describe('what did not come', () => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await signedIn(desktop);
  });
  afterAll(() => visitor?.context.close());
  testRecovery(() => ({ newPage: () => visitor.openTab(), environmentId }));
});

describe('a role that is taken away for a moment', () => {
  let visitor: Visitor;
  beforeAll(async () => {
    // Archives are sent to the public name.
    visitor = await signedIn(desktop, `http://lilac.test:${platform.port}`);
  });
  afterAll(() => visitor?.context.close());
  testLostRole(() => ({ newPage: () => visitor.openTab(), environmentId }));
});

describe('a browser that keeps nothing', () => {
  testBlocked(() => ({ browser, url: platform.url, account: ada }));
});

async function organisationOf(page: Page): Promise<string> {
  const list = page.getByRole('combobox', { name: 'Organisation' });
  return await list.evaluate(({ selectedOptions }: HTMLSelectElement) => selectedOptions[0]!.text);
}
