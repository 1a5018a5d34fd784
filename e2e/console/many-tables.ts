import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

const SCHEMA = '**/api/databases/explorer/schema';
const MOST_TABLES = 2000;

/** A database with more tables than are listed: `item` is none of those. Call it within a `describe`. */
export function testManyTables(open: () => Promise<Page>): void {
  it('are opened by their names and by a link where the list is cut, and only the database says that one is gone', async () => {
    const page = await open();
    const path = new URL(page.url()).pathname;
    await page.getByRole('heading', { name: 'item', level: 2 }).waitFor();
    await listOthers(page);
    await page.goto(`${path}?schema=public&table=item`);
    await page.getByText('60 rows', { exact: true }).waitFor();
    const form = page.getByRole('form', { name: 'Open another table' });
    await form.getByText('Only the first 2,000 tables are listed.').waitFor();
    await form.getByLabel('Name of the table').fill('nowhere');
    await form.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('status').getByText('There is no table nowhere.').waitFor();
    await form.getByLabel('Name of the table').fill('public.item');
    await form.getByRole('button', { name: 'Open' }).click();
    await page.getByText('60 rows', { exact: true }).waitFor();
    await page.waitForURL((url) => url.searchParams.get('table') === 'item');
    expect(await page.getByRole('region', { name: 'Missing table' }).count()).toBe(0);
    await page.unroute(SCHEMA);
  });
}

/** Only where all are asked for: what is named is answered by the platform. */
async function listOthers(page: Page): Promise<void> {
  await page.route(SCHEMA, async (route) => {
    if ('table' in (route.request().postDataJSON() as object)) return route.continue();
    const response = await route.fetch();
    const { tables } = (await response.json()) as { tables: object[] };
    const others = Array.from({ length: MOST_TABLES }, (_, at) => ({ ...tables[0], name: `other_${at}` }));
    await route.fulfill({ response, json: { tables: others } });
  });
}
