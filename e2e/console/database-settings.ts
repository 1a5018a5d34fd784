import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { focused } from './focus.ts';
import { pressEscapeOften } from './steps.ts';
import type { Databases } from '../databases.ts';

export interface DatabaseSettingsWorld {
  page: Page;
  databases: Databases;
  /** Of one called “Orders”, with the smallest tier, that is healthy. */
  databaseId: string;
}

/**
 * What is asked before settings of a database are lost, or end its clients' connections. Call it within a `describe`.
 */
export function testDatabaseSettings(world: () => DatabaseSettingsWorld): void {
  it('that are not saved are asked about before they are lost, all at once, and not once they are as they were', async () => {
    const { page, databaseId } = world();
    await page.goto(`/databases/${databaseId}/settings`);
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    const name = page.getByRole('form', { name: 'Name' }).getByLabel('Name', { exact: true });
    const storage = page.getByRole('spinbutton', { name: 'Storage (GB)' });
    const networks = page.getByLabel('Networks that may connect');
    const saved = [await name.inputValue(), await storage.inputValue(), await networks.inputValue()] as const;
    await name.fill('Never');
    await storage.fill('7');
    await page.getByRole('radio', { name: /^Another size/ }).check();
    await networks.fill('192.0.2.0/24');
    await tab(page, 'Backups').click();
    const lost = question.locator('.about');
    await question.waitFor();
    expect((await lost.allTextContents()).toSorted()).toEqual([
      'Its storage has not grown to what you typed.',
      'The new name is not saved.',
      'The size that you chose is not saved.',
      'What you changed under “Who may connect” is not saved.',
    ]);
    await question.getByRole('button', { name: 'Stay here' }).click();
    expect([await name.inputValue(), await networks.inputValue()]).toEqual(['Never', '192.0.2.0/24']);
    await name.fill(saved[0]);
    await storage.fill(saved[1]);
    await networks.fill(saved[2]);
    await tab(page, 'Backups').click();
    await question.waitFor();
    expect(await lost.allTextContents()).toEqual(['The size that you chose is not saved.']);
    await question.getByRole('button', { name: 'Stay here' }).click();
    await page.getByRole('radio', { name: /^Micro, shared/ }).check();
    await tab(page, 'Backups').click();
    await page.getByRole('heading', { name: 'Backups', level: 2 }).waitFor();
  });

  it('that are not saved stay guarded for who skips to the content, and nobody asks about that', async () => {
    const { page, databaseId } = world();
    await page.goto(`/databases/${databaseId}/settings`);
    const name = page.getByRole('form', { name: 'Name' }).getByLabel('Name', { exact: true });
    const saved = await name.inputValue();
    await name.fill('Never');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    await page.locator('main#content:focus').waitFor();
    expect([await question.count(), new URL(page.url()).hash]).toEqual([0, '#content']);
    await tab(page, 'Backups').click();
    await question.getByRole('button', { name: 'Stay here' }).click();
    expect(await name.inputValue()).toBe('Never');
    await name.fill(saved);
  });

  it('beneath the dialog of the password are neither asked about nor lost with what was typed there', async () => {
    const { page, databaseId } = world();
    await page.goto(`/databases/${databaseId}/settings`);
    const name = page.getByRole('form', { name: 'Name' }).getByLabel('Name', { exact: true });
    const saved = await name.inputValue();
    await name.fill('Never');
    const open = page.getByRole('button', { name: 'Change the password' }).first();
    const dialog = page.getByRole('dialog', { name: /^Change the password of/ });
    await open.click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await open.click();
    await dialog.getByLabel('New password').fill('typed and not sent');
    const question = page.getByRole('dialog', { name: 'Close without changing it?' });
    await pressEscapeOften(page, question);
    expect(await question.locator('.about').allTextContents()).toEqual(['The password that you typed is lost.']);
    await question.getByRole('button', { name: 'Close and lose it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await tab(page, 'Backups').click();
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Stay here' })
      .click();
    await name.fill(saved);
  });

  it('of the password whose change was not answered it is said that it may be done, and not again to who looks anew', async () => {
    const { page, databases, databaseId } = world();
    const before = await databases.url(databaseId);
    await page.goto(`/databases/${databaseId}/settings`);
    await page.route(ROTATION, loseAnswer);
    const open = page.getByRole('button', { name: 'Change the password' }).first();
    await open.click();
    const dialog = page.getByRole('dialog', { name: /^Change the password of/ });
    await dialog.getByRole('button', { name: 'Change the password' }).click();
    await dialog.getByText('it may have been done. Look before you try again.').waitFor();
    expect(await databases.url(databaseId), 'it was').not.toBe(before);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await open.click();
    await dialog.waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.unroute(ROTATION, loseAnswer);
  });

  it('of another size it is asked first, with the restart that it takes; then it is changed, and nothing is unsaved', async () => {
    const { page, databases, databaseId } = world();
    await page.goto(`/databases/${databaseId}/settings`);
    const change = page.getByRole('button', { name: 'Change the size' });
    await change.click();
    await page.getByRole('alert').getByText('It has this size already.').waitFor();
    expect(await page.getByRole('form', { name: 'Size' }).getByText('Saved').count()).toBe(0);
    await page.getByRole('radio', { name: /^Small, shared/ }).check();
    await change.click();
    const question = page.getByRole('dialog', { name: 'Change the size of Orders to “Small, shared”?' });
    await question.getByText('Its server restarts at once').waitFor();
    expect(await focused(page), 'Enter, pressed once too often, does no harm').toBe('Cancel');
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'hidden' });
    expect((await databases.get(databaseId)).tier, 'nothing was done yet').toBe('db-f1-micro');
    await change.click();
    await question.getByRole('button', { name: 'Change the size' }).click();
    await page.getByRole('form', { name: 'Size' }).getByText('Saved').waitFor();
    expect((await databases.get(databaseId)).tier).toBe('db-g1-small');
    await page.locator('.page-head').getByText('healthy', { exact: true }).waitFor();
    await tab(page, 'Backups').click();
    await page.getByRole('heading', { name: 'Backups', level: 2 }).waitFor();
  });
}

const ROTATION = '**/api/databases/rotate-password';

/** It is done, and whoever asked never knows. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

const tab = (page: Page, label: string) =>
  page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link', { name: label });
