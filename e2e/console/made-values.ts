import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

interface MadeValuesOptions {
  /** Shows the rows that the query of an address asks for. */
  open: (query: string) => Promise<Page>;
  /** What the database itself answers. */
  askDatabase: (statement: string) => Promise<string>;
}

/** Rows with values that the table makes itself, and with lists whose type has a name. Call it within a `describe`. */
export function testMadeValues({ open, askDatabase }: MadeValuesOptions): void {
  it('are not asked for what the table makes itself, and take lists of a type with a name', async () => {
    await askDatabase('create domain labels as text[]');
    await askDatabase(
      `create table made (id int generated always as identity primary key, n int not null,
       twice int generated always as (n * 2) stored, tags labels)`,
    );
    const page = await open('schema=public&table=made');
    const cells = page.getByRole('region', { name: 'Rows of made' }).locator('tbody .cell');
    await page.getByRole('button', { name: 'Insert a row' }).click();
    const inserting = page.getByRole('dialog', { name: 'Insert a row into made' });
    expect(await inserting.getByText('The table makes it itself').count()).toBe(2);
    expect(await inserting.getByLabel(/^(id|twice) integer$/).count()).toBe(0);
    await inserting.getByLabel('n integer').fill('21');
    await inserting.getByLabel('tags labels').fill('["a,b", "c"]');
    await inserting.getByRole('button', { name: 'Insert', exact: true }).click();
    await page.getByText('1 row', { exact: true }).waitFor();
    expect(await cells.allTextContents()).toEqual(['1', '21', '42', '["a,b","c"]']);
    await page.getByRole('button', { name: 'Edit row 1', exact: true }).click();
    const editing = page.getByRole('dialog', { name: 'Edit a row of made' });
    await editing.getByText('42', { exact: true }).waitFor();
    await editing.getByLabel('n integer').fill('3');
    await editing.getByLabel('tags labels').fill('[]');
    await editing.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('region', { name: 'Rows of made' }).getByText('6', { exact: true }).waitFor();
    const tables = page.getByRole('navigation', { name: 'Tables' });
    await tables.getByRole('link', { name: /^item/ }).click();
    await page.getByRole('region', { name: 'Rows of item' }).waitFor();
    await page.goBack();
    await page.getByRole('region', { name: 'Rows of made' }).waitFor();
    expect(await askDatabase('select id, n, twice, tags from made')).toBe('1|3|6|{}');
    await askDatabase('drop table made');
    await askDatabase('drop domain labels');
  });
}
