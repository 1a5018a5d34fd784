import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { launchOptions, openVisitor } from './browser.ts';
import * as steps from './steps.ts';

interface BlockedWorld {
  browser: Browser;
  url: string;
  account: Pick<steps.Account, 'email' | 'password'>;
}

/** As browsers do where a site's data is blocked: at the mere name, and when a lock is asked for. */
function blockData(): void {
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs in the page, without the rest of this file
  const refuse = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  };
  for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(globalThis, name, { get: refuse });
  Object.defineProperty(globalThis, 'BroadcastChannel', { value: refuse });
  Object.defineProperty(LockManager.prototype, 'request', {
    value: () => Promise.reject(new DOMException('Access is denied in this context.', 'SecurityError')),
  });
}

/** And where there is no more room. */
function fillStorage(): void {
  Object.defineProperty(Storage.prototype, 'setItem', {
    value: () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    },
  });
}

/** The console in browsers that keep nothing for it. Call it within a `describe`. */
export function testBlocked(world: () => BlockedWorld): void {
  it.each([
    { how: 'blocks what sites store', prepare: blockData },
    { how: 'has no more room', prepare: fillStorage },
  ])('works in a browser that $how, and keeps the session by its cookie', async ({ prepare }) => {
    const { browser, url, account } = world();
    const { context, page, problems } = await openVisitor(browser, { url });
    await context.addInitScript(prepare);
    await page.goto('/members');
    await steps.signIn(page, account);
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await page.getByRole('button', { name: /^Theme: / }).click();
    await page.getByRole('button', { name: /^Theme: light/ }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  it('says in a browser that blocks its cookie what must be allowed, and blames nobody else', async () => {
    const profile = mkdtempSync(join(tmpdir(), 'lilac-no-cookies-'));
    onTestFinished(() => rmSync(profile, { recursive: true }));
    mkdirSync(join(profile, 'Default'));
    const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
    writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences));
    const context = await chromium.launchPersistentContext(profile, { ...launchOptions(), baseURL: world().url });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto('/members');
    await page.getByRole('heading', { name: 'Cookies are blocked' }).waitFor();
    await page.getByText('Allow this site’s cookies in the browser’s settings').waitFor();
    expect(await page.getByText('does not answer').count()).toBe(0);
  });
}
