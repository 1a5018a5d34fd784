import type { Browser } from 'playwright-core';
import { expect, it } from 'vitest';
import { openVisitor, type Visitor } from './browser.ts';
import * as steps from './steps.ts';
import { type Platform, until } from '../platform.ts';

export interface SessionWorld {
  browser: Browser;
  /** Reached on plain http by the name lilac.test; at localhost as on https. */
  platform: Platform;
  account: Pick<steps.Account, 'email' | 'password'>;
  /** Signed in with that account. */
  visitor: Visitor;
}

/** How a session is kept and who cannot use it. Call it within a `describe`. */
export function testSession(world: () => SessionWorld): void {
  it('is kept where no script finds it: one cookie for the platform alone, and no token stored', async () => {
    const { platform, visitor } = world();
    const cookies = await visitor.context.cookies();
    expect(cookies).toMatchObject([
      { name: `__Host-lc_rt_${platform.port}`, httpOnly: true, secure: true, sameSite: 'Strict' },
    ]);
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
    const { platform, visitor } = world();
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
    const { page, problems } = world().visitor;
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

  it('is ended by who says so, who is asked about unsaved work first and keeps it where that fails', async () => {
    const { browser, platform, account } = world();
    const guest = await openVisitor(browser, { url: platform.url });
    const { page } = guest;
    await page.goto('/account');
    await steps.signIn(page, account);
    const byBrowser: string[] = [];
    page.on('dialog', (dialog) => {
      byBrowser.push(dialog.type());
      // Who stays then would stay in a document that is over.
      void dialog.dismiss();
    });
    const name = page.getByRole('textbox', { name: 'Your name' });
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    const signOut = page.getByRole('button', { name: 'Sign out', exact: true });
    await name.fill('Never');
    let asked = 0;
    await page.route('**/api/auth/logout', (route) => {
      asked++;
      return route.abort();
    });
    await signOut.click();
    await question.getByRole('button', { name: 'Stay here' }).click();
    expect([asked, await name.inputValue()]).toEqual([0, 'Never']);
    await signOut.click();
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await page.locator('.side-foot').getByRole('alert').waitFor();
    expect([asked, await name.inputValue()]).toEqual([1, 'Never']);
    await page.unroute('**/api/auth/logout');
    await signOut.click();
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect([new URL(page.url()).pathname, byBrowser]).toEqual(['/sign-in', []]);
    await guest.context.close();
  });

  it('that ends under one’s hands is taken up again over the page, which keeps what was written', async () => {
    const { platform, account } = world();
    const { page } = world().visitor;
    await page.goto('/members');
    await page.getByLabel('E-mail').fill('bob@example.org');
    await endSessions(platform, account.email);
    await page.getByLabel('E-mail').press('Enter');
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Members' })
      .waitFor({ state: 'hidden' });
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await page.keyboard.press('Escape');
    await again.getByLabel('E-mail').fill(account.email);
    await again.getByLabel('Password').fill(account.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe('bob@example.org');
    await until('who wrote goes on there', () =>
      page.getByLabel('E-mail').evaluate((field) => field === document.activeElement),
    );
  });

  it('ended in another tab, it keeps what is unsaved in this one, and nothing is asked beneath the sign-in', async () => {
    const { browser, platform, account } = world();
    const guest = await openVisitor(browser, { url: platform.url });
    const { page } = guest;
    await page.goto('/members');
    await steps.signIn(page, account);
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await page.getByTitle('Account').click();
    const name = page.getByRole('textbox', { name: 'Your name' });
    await name.fill('Kept');
    const other = await guest.context.newPage();
    await other.goto('/');
    await steps.signOut(other);
    const entries = await other.evaluate(() => history.length);
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.waitFor();
    await page.evaluate(() => history.back());
    await until('it stays where it was', () => page.url().endsWith('/account'));
    expect(await page.locator('dialog[open]').count()).toBe(1);
    await again.getByLabel('E-mail').fill(account.email);
    await again.getByLabel('Password').fill(account.password);
    await page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Kept');
    // The address of the sign-in is left without a trace: Back would lead there, and from there here again.
    await other.getByRole('heading', { name: 'Applications' }).waitFor();
    expect(await other.evaluate(() => history.length)).toBe(entries);
    await guest.context.close();
  });

  it('a device is not approved as somebody else, who signs in in another tab meanwhile', async () => {
    const { platform, account } = world();
    const { page, context } = world().visitor;
    const eve = { email: 'eve@example.org', password: account.password };
    const asEve = ['--email', eve.email, '--password', eve.password, '--organisation', 'Other'];
    await platform.lilac('admin', 'owner', 'create', ...asEve);
    await page.goto('/device');
    await page.getByLabel('Code shown on the device').fill(await askForDeviceCode(platform));
    await page.keyboard.press('Enter');
    await page.getByText(account.email).waitFor();
    const other = await context.newPage();
    await other.goto('/members');
    await other.getByLabel('E-mail').fill('bob@example.org');
    await endSessions(platform, account.email);
    await other.getByLabel('E-mail').press('Enter');
    const again = other.getByRole('dialog', { name: 'Sign in again' });
    await again.getByLabel('E-mail').fill(eve.email);
    await again.getByLabel('Password').fill(eve.password);
    await other.keyboard.press('Enter');
    await page.getByLabel('Code shown on the device').waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  });

  it('on plain http is not taken for another by a cookie that an application below the same domain planted, nor ended', async () => {
    const { browser, platform, account } = world();
    const guest = await openVisitor(browser, { url: `http://lilac.test:${platform.port}` });
    const { page } = guest;
    const planted = { port: platform.port, refreshToken: await signUpMallory(platform) };
    await plant(guest, planted);
    await page.goto('/');
    await steps.signIn(page, account);
    await page.getByRole('heading', { name: 'Applications' }).waitFor();
    await plant(guest, planted);
    for (let reloads = 0; reloads < 2; reloads++) {
      await page.reload();
      await page.getByRole('heading', { name: 'Applications' }).waitFor();
      expect(await page.locator('.switcher option').allTextContents()).toContain('Acme');
    }
    await steps.signOut(page);
    await page.goto('/');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await guest.context.close();
  });
}

/** A refresh token that is as good as any. */
async function signUpMallory(platform: Platform): Promise<string> {
  const email = ['--email', 'mallory@example.org'];
  await platform.lilac(
    'admin',
    'owner',
    'create',
    ...email,
    '--password',
    'a long pass phrase',
    '--organisation',
    'Evil',
  );
  const { stdout } = await platform.lilac('admin', 'session', 'create', ...email, '--json');
  return (JSON.parse(stdout) as { refreshToken: string }).refreshToken;
}

/** As an application there does it: the browser itself judges the cookie. */
async function plant(
  { context }: Visitor,
  { port, refreshToken }: { port: number; refreshToken: string },
): Promise<void> {
  const evil = await context.newPage();
  const set = ['/', '/api/auth', '/api/auth/refresh'].map(
    (path) => `document.cookie = 'lc_rt_${port}=${refreshToken}; Domain=lilac.test; Path=${path}';`,
  );
  await context.route('http://evil.lilac.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<script>${set.join('')}</script>` }),
  );
  await evil.goto('http://evil.lilac.test/');
  expect(await context.cookies('http://lilac.test/api/auth/refresh')).toHaveLength(
    set.length + (await context.cookies('http://lilac.test/')).filter(({ httpOnly }) => httpOnly).length,
  );
  await evil.close();
}

async function askForDeviceCode({ url }: Platform): Promise<string> {
  const response = await fetch(`${url}/api/auth/device/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: 'lilac-cli' }),
  });
  return ((await response.json()) as { user_code: string }).user_code;
}

/** As *Account* does it on another device; the page meets it at its next change. */
async function endSessions(platform: Platform, email: string): Promise<void> {
  const { stdout } = await platform.lilac('admin', 'session', 'create', '--email', email, '--json');
  const { token } = JSON.parse(stdout) as { token: string };
  const ask = async (path: string, body: object) =>
    await fetch(platform.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const sessions = (await (await ask('/api/auth/sessions', {})).json()) as { id: string; current: boolean }[];
  for (const { id, current } of sessions) if (!current) await ask('/api/auth/sessions/revoke', { sessionId: id });
}
