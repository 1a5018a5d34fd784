import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { desktop, launchBrowser, openVisitor, phone } from './console-browser.ts';
import * as steps from './console-steps.ts';
import { standInForDomains } from './console-domains-stand-in.ts';
import { startPlatform } from './platform.ts';

/** `node e2e/console-screenshots.ts <folder>`: a picture of every page, in both themes, wide and narrow. */

const ada = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery', organisation: 'Analytical' };
const folder = resolve(process.argv[2] ?? 'screenshots');
mkdirSync(folder, { recursive: true });

const browser = await launchBrowser();
try {
  for (const [size, viewport] of [
    ['desktop', desktop],
    ['phone', phone],
  ] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await using platform = await startPlatform();
      const { page, context } = await openVisitor(browser, { url: platform.url, viewport, colorScheme });
      const camera = cameraOf(page, `${size}-${colorScheme}`);
      await takeOwnersPages(page, camera, platform.setupLink!);
      await takeDevicePages(page, camera, platform.url);
      await takeGuestsPages(page, camera);
      await context.close();
    }
  }
} finally {
  await browser.close();
}

type Camera = (name: string) => Promise<void>;

function cameraOf(page: Page, prefix: string): Camera {
  return async (name) => {
    await steps.settle(page);
    await page.screenshot({ path: join(folder, `${prefix}-${name}.png`), fullPage: true });
  };
}

async function takeOwnersPages(page: Page, camera: Camera, setupLink: string): Promise<void> {
  await page.goto(setupLink);
  await page.getByLabel('Your name').waitFor();
  await camera('setup');
  await steps.setUp(page, setupLink, ada);
  await camera('applications-empty');
  await steps.choosePlan(page, 'free');
  await steps.goTo(page, 'API keys');
  await camera('keys-free-plan');
  await steps.choosePlan(page, 'pro');
  await camera('organisation');
  await steps.goTo(page, 'API keys');
  await page.getByRole('textbox', { name: 'Name' }).fill('deploy bot');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Secret', { exact: true }).waitFor();
  await camera('keys-secret');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke deploy bot' }).click();
  await camera('keys-revoke');
  await steps.confirmDialog(page, 'Revoke');
  await steps.createKey(page, 'a rather long name for what a key may be used for in the night');
  await camera('keys');
  await steps.invite(page, 'bob@example.org');
  await camera('members');
  await takeApplications(page, camera);
  await takeDomains(page, camera);
  await takeAccount(page, camera);
}

/** Nothing can be deployed yet, so the list is shown with an answer made up here. */
async function takeApplications(page: Page, camera: Camera): Promise<void> {
  const at = new Date(Date.now() - 7_200_000).toISOString();
  const items = ['healthy', 'building', 'degraded', 'failed', 'pending'].map((status, index) => ({
    id: `app_${index}`,
    name: `shop-${index}`,
    status,
    framework: 'nextjs',
    url: `https://shop-${index}.apps.example.org`,
    updated_at: at,
  }));
  await page.route('**/api/applications', (route) =>
    route.fulfill({ json: { items, totalItems: 45, totalPages: 3, currentPage: 1 } }),
  );
  await steps.goTo(page, 'Applications');
  await page.getByText('shop-0', { exact: true }).waitFor();
  await camera('applications');
  await page.unroute('**/api/applications');
}

/** One of each that a domain can be, made up here: some of them last only for a moment. */
async function takeDomains(page: Page, camera: Camera): Promise<void> {
  const undo = await standInForDomains(page);
  await steps.goTo(page, 'Domains');
  await page.getByText('served, needs attention').waitFor();
  await camera('domains');
  await page.getByRole('button', { name: 'Add a domain to preview' }).click();
  await camera('domains-add');
  await page.getByRole('button', { name: 'Remove www.example.org' }).click();
  await page.getByRole('dialog').getByRole('checkbox').uncheck();
  await camera('domains-remove');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await steps.goTo(page, 'Applications');
  await page.getByRole('complementary', { name: 'Domains' }).waitFor();
  await camera('domains-warning');
  await undo();
}

async function takeAccount(page: Page, camera: Camera): Promise<void> {
  await steps.openAccount(page, ada);
  await camera('account');
  await page.getByRole('button', { name: 'Set up' }).click();
  const form = page.getByRole('form', { name: 'Set up a second factor' });
  await form.getByLabel('Current password').fill('not the password');
  await form.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').waitFor();
  await camera('account-refused');
  await form.getByLabel('Current password').fill(ada.password);
  await form.getByRole('button', { name: 'Continue' }).click();
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
  await camera('account-enrol');
  await page.getByLabel('Code', { exact: true }).fill(steps.totpCode(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
  await camera('account-recovery-codes');
  await page.getByRole('button', { name: 'I have kept them' }).click();
}

async function takeDevicePages(page: Page, camera: Camera, url: string): Promise<void> {
  const response = await fetch(`${url}/api/auth/device/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'lilac-cli/0.1.0 (linux x64)' },
    body: JSON.stringify({ client_id: 'lilac-cli' }),
  });
  const device = (await response.json()) as { verification_uri_complete: string; user_code: string };
  await page.goto(device.verification_uri_complete);
  await page.getByLabel('Code shown on the device').fill(device.user_code);
  await camera('device-code');
  await page.keyboard.press('Enter');
  await page.getByText('lilac-cli', { exact: true }).waitFor();
  await camera('device-decision');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'The device is connected' }).waitFor();
  await camera('device-done');
}

async function takeGuestsPages(page: Page, camera: Camera): Promise<void> {
  await page.goto('/');
  const link = await steps.invite(page, 'carol@example.org');
  await steps.signOut(page);
  await camera('sign-in');
  await steps.signIn(page, ada);
  await page.getByLabel('Code').waitFor();
  await camera('sign-in-code');
  await page.goto(link);
  await page.getByLabel('Your name').waitFor();
  await camera('invite');
}
