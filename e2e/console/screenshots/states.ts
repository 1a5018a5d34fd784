import type { Page } from 'playwright-core';
import { standInForMetrics } from '../metrics-stand-in.ts';
import type { Camera } from './camera.ts';
import type { World } from './world.ts';
import * as steps from '../steps.ts';
import { zip } from '../../deploying.ts';

/** What pages are before there is anything on them. */
export async function takeEmpty(page: Page, camera: Camera): Promise<void> {
  for (const name of ['databases', 'domains', 'activity', 'keys']) {
    await page.goto(`/${name}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await camera(`empty-${name}`);
  }
}

/** What pages are when something is wrong, or rather long. */
export async function takeTroubles(page: Page, camera: Camera, world: World): Promise<void> {
  for (const [name, address] of [
    ['missing', '/nowhere'],
    ['gone', '/apps/app_gone'],
    ['logs-none', `/environments/${world.environmentId}/logs?text=no+line+is+like+this`],
    ['long-application', `/apps/${world.longId}`],
    ['long-settings', `/apps/${world.longId}/settings`],
  ] as const) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await camera(`state-${name}`);
  }
  const broken = { code: 'SV001', message: 'Something went wrong on our side.', errorId: 'err_01K9ZJ4V7Q' };
  await page.route('**/api/databases', (route) => route.fulfill({ status: 500, json: broken }));
  await page.goto('/databases');
  await page.getByRole('alert').waitFor();
  await camera('state-error');
  await page.unroute('**/api/databases');
  await page.goto(`/environments/${world.environmentId}`);
  await page.getByText('All metrics').waitFor();
  await page.context().setOffline(true);
  await page.getByText('No connection to the platform').waitFor();
  await camera('state-no-connection');
  await page.context().setOffline(false);
  const undo = await standInForMetrics(page);
  await page.goto(`/environments/${world.environmentId}/metrics?range=24h`);
  await page.getByText('Hatched: no instance was running.').waitFor();
  await camera('environments-one-metrics-day');
  await undo();
}

/** The ways to a new application, a step further than their addresses lead. */
export async function takeNew(page: Page, camera: Camera, repositoryUrl: string): Promise<void> {
  await page.goto('/new?from=repository');
  await page.getByLabel('Address').fill(repositoryUrl);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Found: plain files.').waitFor();
  await page.getByText('Environment variables').click();
  await camera('new-repository');
  // Its upload never comes to an end.
  await page.route('**', async (route) => {
    if (route.request().method() !== 'PUT') await route.fallback();
  });
  await page.goto('/new?from=zip');
  await camera('new-zip');
  const buffer = await zip({ 'index.html': '<h1>Shop</h1>' });
  const sending = page.waitForRequest((request) => request.method() === 'PUT');
  await page
    .locator('input[aria-label="Choose a zip"]')
    .setInputFiles({ name: 'shop.zip', mimeType: 'application/zip', buffer });
  await sending;
  await page.getByRole('progressbar', { name: 'Uploading' }).waitFor();
  await camera('new-zip-uploading');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.unroute('**');
}

/** What the first page and a database's unfold, and the list of keys. */
export async function takeUnfolded(page: Page, camera: Camera, world: World): Promise<void> {
  await page.goto(`/databases/${world.databaseId}`);
  await page.getByText('Connect an environment', { exact: true }).click();
  await page.getByRole('button', { name: 'Change application' }).click();
  await page.getByRole('listbox', { name: 'Application' }).getByRole('option').first().waitFor();
  await camera('databases-connect');
  await page.goto('/');
  await page.getByRole('button', { name: 'Move applications' }).click();
  await camera('applications-moving');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await camera('keyboard');
  await page.keyboard.press('Escape');
}

/** Signing in, where it does not go straight; nobody is signed in. */
export async function takeSignIn(page: Page, camera: Camera): Promise<void> {
  await page.goto('/sign-in');
  await steps.signIn(page, { email: 'ada@example.org', password: 'not the password' });
  await page.getByRole('alert').waitFor();
  await camera('sign-in-refused');
  const pending = { mfaRequired: true, pendingToken: 'pending' };
  await page.route('**/console/sign-in', (route) => route.fulfill({ json: pending }));
  await page.getByLabel('Password').fill('any');
  await page.keyboard.press('Enter');
  await page.getByLabel('Code', { exact: true }).waitFor();
  await camera('sign-in-code');
  await page.unroute('**/console/sign-in');
}
