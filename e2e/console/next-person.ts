import type { Browser, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { openVisitor } from './browser.ts';
import * as steps from './steps.ts';
import type { Platform } from '../platform.ts';

interface NextPersonWorld {
  browser: Browser;
  platform: Platform;
  account: Pick<steps.Account, 'email' | 'password'>;
  /** Of an application that was uploaded. */
  deploymentId: string;
}

/** One browser, and one person after another. Call it within a `describe`. */
export function testNextPerson(world: () => NextPersonWorld): void {
  it('nothing that somebody began goes on as the next person, who signs in while its first answer is on the way', async () => {
    const { browser, platform, account, deploymentId } = world();
    const uma = { email: 'uma@example.org', password: account.password };
    const asUma = ['--email', uma.email, '--password', uma.password, '--organisation', 'Next'];
    await platform.lilac('admin', 'owner', 'create', ...asUma);
    const { context, page } = await openVisitor(browser, { url: platform.url });
    await page.goto(`/deployments/${deploymentId}`);
    await steps.signIn(page, account);
    const deploy = page.getByRole('button', { name: 'Deploy again' });
    await deploy.waitFor();
    await steps.settle(page);
    const deployed: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/environments/deploy')) deployed.push(request.url());
    });
    const held = Promise.withResolvers<void>();
    await page.route('**/api/deployments', async (route) => {
      const response = await route.fetch();
      await held.promise;
      // Who asked may not be there any more.
      await route.fulfill({ response }).catch(() => {});
    });
    const asked = page.waitForRequest('**/api/deployments');
    await deploy.click();
    await asked;
    await steps.signOut(page);
    await steps.signIn(page, uma);
    await page.getByRole('heading', { name: 'Applications' }).waitFor();
    held.resolve();
    await steps.goTo(page, 'Members');
    await page.getByText(uma.email).first().waitFor();
    expect([deployed, new URL(page.url()).pathname]).toEqual([[], '/members']);
    await context.close();
  });

  it('whoever goes back after somebody signed out sees nothing of theirs', async () => {
    const { browser, platform, account, deploymentId } = world();
    const { context, page } = await openVisitor(browser, { url: platform.url });
    await page.goto(`/deployments/${deploymentId}`);
    await steps.signIn(page, account);
    await page.getByRole('button', { name: 'Deploy again' }).waitFor();
    await steps.goTo(page, 'Members');
    await page.getByText(account.email).first().waitFor();
    await steps.goTo(page, 'API keys');
    const seen = await keepSeen(page);
    await steps.signOut(page);
    for (const path of ['/members', `/deployments/${deploymentId}`]) {
      await page.goBack();
      await page.waitForURL(`**${path}`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    }
    await page.goForward();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(seen.filter((text) => text.includes('Sign in'))).not.toEqual([]);
    expect(seen.filter((text) => text.includes(account.email) || text.includes('Applications'))).toEqual([]);
    await context.close();
  });
}

/** Whatever is shown in documents that this tab opens from now on. */
async function keepSeen(page: Page): Promise<string[]> {
  const seen: string[] = [];
  await page.exposeFunction('keepSeen', (text: string) => seen.push(text));
  await page.addInitScript(() => {
    const { keepSeen: keep } = globalThis as unknown as { keepSeen: (text: string) => void };
    new MutationObserver(() => keep(document.body?.textContent ?? '')).observe(document, {
      subtree: true,
      childList: true,
    });
  });
  return seen;
}
