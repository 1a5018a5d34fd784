import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from './acknowledged-writes.ts';
import { desktop, launchBrowser, openVisitor, phone, type Visitor } from './console-browser.ts';
import * as steps from './console-steps.ts';
import { createDeployer } from './deploying.ts';
import { type Platform, startPlatform } from './platform.ts';

/** What is around every page: the search, the keys, the theme, and how the session is kept. */
const ada = { email: 'ada@example.org', password: 'a long pass phrase' };

let platform: Platform;
let browser: Browser;
let environmentId: string;
beforeAll(async () => {
  [platform, browser] = await Promise.all([startPlatform(), launchBrowser()]);
  const deployer = createDeployer(platform, await createAccount(platform));
  ({ environmentId } = await deployer.createFromFiles('Shop', { 'index.html': '<h1>Shop</h1>' }));
});
afterAll(async () => {
  await browser?.close();
  await platform?.[Symbol.asyncDispose]();
});

async function signedIn(viewport: typeof desktop): Promise<Visitor> {
  const visitor = await openVisitor(browser, { url: platform.url, viewport });
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

  it('is kept where no script finds it: one cookie for the platform alone, and nothing stored', async () => {
    const cookies = await visitor.context.cookies();
    expect(cookies).toMatchObject([{ name: '__Host-lc_rt', httpOnly: true, secure: true, sameSite: 'Strict' }]);
    const found = await visitor.page.evaluate(async () =>
      JSON.stringify([
        document.cookie,
        Object.entries(localStorage),
        Object.entries(sessionStorage),
        await indexedDB.databases(),
        await caches.keys(),
      ]),
    );
    expect(found).not.toContain(cookies[0]!.value);
    expect(found).not.toMatch(/eyJ[\w-]+\./);
    expect(JSON.parse(found)[0]).toBe('');
  });

  it('is of no use to another site: a request from there is refused, with the cookie and all', async () => {
    const [cookie] = await visitor.context.cookies();
    const ask = (path: string, headers: Record<string, string>) =>
      fetch(platform.url + path, {
        method: 'POST',
        headers: { cookie: `${cookie!.name}=${cookie!.value}`, 'content-type': 'application/json', ...headers },
        body: '{}',
      });
    const origin = 'https://evil.example.org';
    for (const path of ['/api/auth/refresh', '/api/auth/logout']) {
      expect([path, (await ask(path, { origin })).status]).toEqual([path, 403]);
    }
    // The cookie by itself opens nothing: every call needs the token that only the page has.
    expect((await ask('/api/applications', { origin: platform.url })).status).toBe(401);
    await visitor.page.reload();
    expect(await steps.headingOf(visitor.page)).toBe('Applications');
  });

  it('a page cannot run what is not the platform’s own script', async () => {
    const { page, problems } = visitor;
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.wasRun = true';
      document.head.append(script);
      const image = document.createElement('div');
      image.innerHTML = '<img src="data:," onerror="globalThis.wasRun = true">';
      document.body.append(image);
      return new Promise((resolve) => setTimeout(() => resolve('wasRun' in globalThis), 200));
    });
    expect(ran).toBe(false);
    expect(problems.filter((problem) => problem.startsWith('refused by the content'))).not.toEqual([]);
  });
});
