import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { focused } from './focus.ts';
import { testManyTables } from './many-tables.ts';
import { pressEscapeOften } from './steps.ts';

const SCHEMA = '**/api/databases/explorer/schema';
const PROFILE = '**/api/auth/profile';
const grid = (page: Page) => page.getByRole('region', { name: 'Rows of item' });
/** Of a row, what is shown in it. */
export const cellsOf = (page: Page, row: number) =>
  grid(page).locator('tbody tr').nth(row).locator('.cell').allTextContents();

/** In the dialog of the first row, where something else may be changed besides. */
export async function renameFirst(page: Page, name: string, changeMore?: () => Promise<unknown>): Promise<void> {
  await page.getByRole('button', { name: 'Edit row 1', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit a row of item' });
  await changeMore?.();
  await dialog.getByLabel('name text').fill(name);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await grid(page).getByText(name, { exact: true }).waitFor();
}

/** The rows of a table of sixty, which `open` shows. Call it within a `describe`. */
export function testRows(open: () => Promise<Page>): void {
  testManyTables(open);

  it('are paged, sorted and filtered', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByText('Page 2 of 2').waitFor();
    await page.getByRole('button', { name: 'Previous', exact: true }).click();
    await page.getByText('Page 1 of 2').waitFor();
    await grid(page).getByRole('button', { name: 'id' }).click();
    await page.locator('th[aria-sort=ascending]').waitFor();
    await grid(page).getByRole('button', { name: 'id' }).click();
    await page.locator('th[aria-sort=descending]').waitFor();
    await grid(page).getByText('Item 60', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Column' }).selectOption('name');
    await page.getByRole('combobox', { name: 'Condition' }).selectOption('contains');
    await page.getByLabel('Value', { exact: true }).fill('Item 5');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByText('11 rows', { exact: true }).waitFor();
    expect(await cellsOf(page, 0)).toEqual(['59', 'Item 59', 'empty', String.raw`\x00ff (2 bytes)`]);
  });

  it('that are not there yet may be brought by a dump, which is offered to who may change something', async () => {
    const page = await open();
    await page.route(SCHEMA, (route) => route.fulfill({ json: { tables: [] } }));
    const dump = page.getByRole('link', { name: 'Import a dump' });
    await page.reload();
    await dump.waitFor();
    await page.route(PROFILE, async (route) => {
      const answer = await route.fetch();
      const profile = (await answer.json()) as { organisations: object[] };
      const organisations = profile.organisations.map((each) => ({ ...each, role: 'user' }));
      await route.fulfill({ response: answer, json: { ...profile, organisations } });
    });
    const flags = page.waitForResponse('**/api/config/feature-flags');
    await page.reload();
    await page.getByRole('link', { name: 'Write a statement' }).waitFor();
    await (await flags).finished();
    expect(await dump.count()).toBe(0);
    await page.unroute(SCHEMA);
    await page.unroute(PROFILE);
  });

  it('stay where a filter is refused, which is told beside it, and one can go on with them', async () => {
    const page = await open();
    await page.getByText('60 rows', { exact: true }).waitFor();
    const value = page.getByRole('form', { name: 'Filter' }).getByLabel('Value', { exact: true });
    await value.fill('no number');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('alert').getByText('no number').waitFor();
    expect(await value.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('60 rows', { exact: true }).waitFor();
    expect((await cellsOf(page, 0))[0]).toBe('1');
    expect(await page.getByRole('list', { name: 'Filters' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByText('Page 2 of 2').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await value.fill('7');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Remove the filter/ }).click();
    await page.getByText('60 rows', { exact: true }).waitFor();
    expect(await focused(page)).toBe('item');
  });

  it('are in the address: a reload, the way back and a link keep table, filters, order and page', async () => {
    const page = await open();
    await grid(page).getByRole('button', { name: 'id' }).click();
    await page.locator('th[aria-sort=ascending]').waitFor();
    await grid(page).getByRole('button', { name: 'id' }).click();
    await page.locator('th[aria-sort=descending]').waitFor();
    await page.getByRole('combobox', { name: 'Condition' }).selectOption('is at least');
    await page.getByLabel('Value', { exact: true }).fill('5');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByText('56 rows', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByText('Page 2 of 2').waitFor();
    const address = page.url();
    const isShown = async () => {
      await page.getByText('56 rows', { exact: true }).waitFor();
      await page.getByText('Page 2 of 2').waitFor();
      await page.locator('th[aria-sort=descending]').waitFor();
      await page.getByRole('list', { name: 'Filters' }).getByText('id is at least “5”').waitFor();
      expect((await cellsOf(page, 0))[0]).toBe('10');
      expect(page.url()).toBe(address);
    };
    await page.reload();
    await isShown();
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    await page.getByLabel('SQL').waitFor();
    await page.goBack();
    await isShown();
    await page.goto(address.replace('%225%22', '%22five%22'));
    await page.getByRole('alert').getByText('five').waitFor();
    expect(await grid(page).count(), 'rows that answer something else').toBe(0);
    await page.getByRole('button', { name: 'Show all rows' }).click();
    await page.getByText('60 rows', { exact: true }).waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ schema: 'public', table: 'item' });
  });

  it('are of the table that the address names, and where it is gone of none', async () => {
    const page = await open();
    const there = page.url();
    await page.goto(`${there.split('?')[0]}?${new URLSearchParams({ schema: 'gone', table: 'item' })}`);
    await page.getByText('There is no table gone.item.').waitFor();
    expect(await page.locator('.table-rows').count()).toBe(0);
    await page.getByRole('navigation', { name: 'Tables' }).getByRole('link', { name: /^item/ }).click();
    await page.getByText('60 rows', { exact: true }).waitFor();
  });

  it('are edited, with NULL and an empty text told apart; inserted and deleted', async () => {
    const page = await open();
    const dialog = page.getByRole('dialog', { name: 'Edit a row of item' });
    await renameFirst(page, 'First', () => dialog.getByRole('combobox', { name: 'note is' }).selectOption('NULL'));
    expect((await cellsOf(page, 0)).slice(0, 3)).toEqual(['1', 'First', 'NULL']);
    await page.getByRole('button', { name: 'Insert a row' }).click();
    const inserting = page.getByRole('dialog', { name: 'Insert a row into item' });
    await inserting.getByLabel('id integer').fill('0');
    await inserting.getByRole('button', { name: 'Insert', exact: true }).click();
    await page.getByText('61 rows', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit row 1', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete the row with id 0' }).click();
    await page
      .getByRole('dialog', { name: 'Delete the row with id 0?' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByText('60 rows', { exact: true }).waitFor();
    expect((await cellsOf(page, 0)).slice(0, 3)).toEqual(['1', 'First', 'NULL']);
    expect(await focused(page)).toBe('Edit row 1');
  });

  it('are not lost by Escape while they are typed', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Insert a row' }).click();
    const inserting = page.getByRole('dialog', { name: 'Insert a row into item' });
    await inserting.getByLabel('name text').fill('Typed');
    const question = page.getByRole('dialog', { name: 'Close without saving?' });
    await pressEscapeOften(page, question);
    await question.getByRole('button', { name: 'Stay here' }).click();
    expect(await inserting.getByLabel('name text').inputValue()).toBe('Typed');
    await inserting.getByRole('button', { name: 'Cancel', exact: true }).click();
    await question.getByRole('button', { name: 'Close and lose it' }).click();
    await inserting.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Insert a row' }).click();
    await page.keyboard.press('Escape');
    await inserting.waitFor({ state: 'hidden' });
    await page.getByText('60 rows', { exact: true }).waitFor();
  });
}
