import type { Page } from 'playwright-core';
import type { Camera } from './camera.ts';
import type { World } from './world.ts';

/** What is asked before something is done, and what a person is shown while at it. Nothing of it is confirmed. */
export async function takeDialogs(page: Page, camera: Camera, world: World): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ visible: true });
  const take = async (name: string) => {
    await dialog.waitFor();
    await camera(name);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  await page.goto(`/deployments/${world.olderId}`);
  await page.getByRole('button', { name: /^Roll back/ }).click();
  await take('dialog-rollback');
  await page.goto(`/databases/${world.databaseId}/settings`);
  await page.getByRole('button', { name: 'Delete orders' }).click();
  await take('dialog-delete');
  await page.getByRole('radio', { name: /^Small, shared/ }).check();
  await page.getByRole('button', { name: 'Change the size' }).click();
  await take('dialog-size');
  await page.getByRole('link', { name: 'Backups' }).click();
  await take('dialog-leave');
  await page.goto(`/databases/${world.databaseId}/data`);
  await page.getByRole('button', { name: 'Edit row 1', exact: true }).click();
  await take('dialog-row');
  await page.goto(`/environments/${world.environmentId}/variables`);
  await page.getByRole('button', { name: /^Add/ }).click();
  await page
    .getByLabel(/^Name of/)
    .last()
    .fill('GREETING');
  await page
    .getByLabel(/^Value of/)
    .last()
    .fill('hello');
  await page.getByRole('button', { name: 'Review 1 change' }).click();
  await take('dialog-variables');
  await page.goto(`/databases/${world.databaseId}/query`);
  await page.getByLabel('SQL').fill('select * from customers order by id limit 5');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('region', { name: 'Result', exact: true }).waitFor();
  await camera('databases-query-result');
}
