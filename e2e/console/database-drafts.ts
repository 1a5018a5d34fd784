import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

export interface DraftsWorld {
  page: Page;
  /** Of one that is healthy. */
  databaseId: string;
}

/** What is typed and not sent yet is asked about before it is lost. Call it within a `describe`. */
export function testDatabaseDrafts(world: () => DraftsWorld): void {
  it('of a new database are asked about before they are lost, unless all is as it was at first', async () => {
    const { page } = world();
    await page.goto('/databases/new');
    const elsewhere = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Members' });
    const question = page.getByRole('dialog', { name: 'Leave without creating it?' });
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Half');
    await elsewhere.click();
    await question.getByRole('button', { name: 'Stay here' }).click();
    expect([await name.inputValue(), new URL(page.url()).pathname]).toEqual(['Half', '/databases/new']);
    await name.fill('');
    await page.getByRole('radio', { name: /^Another size/ }).check();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await question.getByText('Your choices for the database are lost.').waitFor();
    await question.getByRole('button', { name: 'Stay here' }).click();
    await page.getByRole('radio', { name: /^Micro, shared/ }).check();
    await elsewhere.click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    expect(await question.count()).toBe(0);
  });

  it('of a new database that cannot be sent are shown, though they are folded away, and none is cut', async () => {
    const { page } = world();
    await page.goto('/databases/new');
    await page.getByLabel('Name', { exact: true }).fill('Half');
    const fold = page.getByText('Names and password of your own');
    const [user, password] = [page.getByLabel('User', { exact: true }), page.getByLabel('Password', { exact: true })];
    const create = page.getByRole('button', { name: 'Create database' });
    await fold.click();
    await user.fill('Not a name');
    await fold.click();
    await user.waitFor({ state: 'hidden' });
    await create.click();
    await user.waitFor();
    expect(await user.evaluate((field) => field === document.activeElement)).toBe(true);
    await user.fill('');
    await password.focus();
    await page.keyboard.insertText('x'.repeat(129));
    await create.click();
    const said = await password.evaluate((field: HTMLInputElement) => [field.value.length, field.validationMessage]);
    expect(said).toEqual([129, 'This is too long: it has 129 characters, and 128 is the most.']);
    expect(new URL(page.url()).pathname, 'nothing is sent').toBe('/databases/new');
    await password.fill('');
    expect(await password.evaluate((field: HTMLInputElement) => field.validationMessage)).toBe('');
    await page.getByLabel('Name', { exact: true }).fill('');
  });

  it('of a password are asked about before the dialog goes, and are not in it when it is opened anew', async () => {
    const { page, databaseId } = world();
    await page.goto(`/databases/${databaseId}/settings`);
    const open = page.getByRole('button', { name: 'Change the password' }).first();
    const dialog = page.getByRole('dialog', { name: /^Change the password of/ });
    const question = page.getByRole('dialog', { name: 'Close without changing it?' });
    const typed = dialog.getByLabel(/^New password/);
    await open.click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await open.click();
    await typed.fill('a password of my own');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Stay here' }).click();
    expect(await typed.inputValue()).toBe('a password of my own');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Close and lose it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await open.click();
    expect(await typed.inputValue()).toBe('');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
}
