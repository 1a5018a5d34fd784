import type { Dialog, Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import * as steps from './steps.ts';

const leaveOf = (page: Page) => page.getByRole('checkbox', { name: 'Let it change data' });

async function runStatement(page: Page, statement: string, { mayWrite = false } = {}): Promise<void> {
  await page.getByLabel('SQL').fill(statement);
  await leaveOf(page).setChecked(mayWrite);
  await page.getByLabel('SQL').press('Control+Enter');
}

/** As by the browser's button; nobody waits for a page that may not come. */
const reloadByHand = (page: Page) => page.evaluate(() => void setTimeout(() => location.reload()));

interface StatementsOptions {
  /** Shows the tab for statements. */
  open: () => Promise<Page>;
  /** What the database itself answers. */
  askDatabase: (statement: string) => Promise<string>;
  /** Of who is signed in. */
  account: Pick<steps.Account, 'email' | 'password'>;
}

/** Statements, and a table of sixty rows that they leave. Call it within a `describe`. */
export function testStatements({ open, askDatabase, account }: StatementsOptions): void {
  it('that the database refuses are explained', async () => {
    const page = await open();
    await runStatement(page, 'select 1; select 2');
    await page
      .getByRole('alert')
      .getByText('These are two statements or more. Run them one after the other.')
      .waitFor();
    await runStatement(page, 'select 1\nform item');
    await page.getByRole('alert').getByText('does not understand the statement').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('at “item” in line 2. Correct it there');
  });

  it('that are too long are kept whole, and refused instead of run without their end', async () => {
    const page = await open();
    const field = page.getByLabel('SQL');
    await field.fill('');
    await field.focus();
    // As by pasting: a field that cuts would cut this.
    await page.keyboard.insertText(`select 1 -- ${'x'.repeat(100_000)}`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('alert').getByText('This is too long: it has 100,012 characters').waitFor();
    expect((await field.inputValue()).length).toBe(100_012);
    expect(await page.getByRole('region', { name: 'Result' }).count()).toBe(0);
    await field.fill('');
  });

  it('change something only where that is switched on', async () => {
    const page = await open();
    await runStatement(page, 'create table item (id int primary key, name text, note text, photo bytea)');
    await page.getByRole('alert').getByText('read-only').getByText('Tick “Let it change data”').waitFor();
    await leaveOf(page).check();
    await page.getByRole('button', { name: 'Run with changes' }).click();
    await page.getByRole('region', { name: 'Result' }).getByText('Done', { exact: true }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await runStatement(page, `insert into item select n, 'Item ' || n, '', '\\x00ff' from generate_series(1, 60) n`, {
      mayWrite: true,
    });
    await page.getByText('60 rows changed').first().waitFor();
    expect(await askDatabase('select count(*) from item')).toBe('60');
  });

  it('that nobody may run are not advised to be let change data', async () => {
    const page = await open();
    for (const denied of [`select pg_read_file('/etc/passwd')`, 'select * from pg_authid']) {
      await runStatement(page, denied);
      await expect
        .poll(() => page.getByRole('alert').textContent())
        .toMatch(/The database says: permission denied for \w+ pg_\w+\.\s*$/);
    }
  });

  it('are let change data for one run each, and another statement has to be let anew', async () => {
    const page = await open();
    await runStatement(page, `updat item set note = ''`, { mayWrite: true });
    await page.getByRole('alert').getByText('does not understand the statement').waitFor();
    expect(await leaveOf(page).isChecked(), 'it changed nothing, and is mended').toBe(true);
    await page.getByLabel('SQL').fill(`update item set note = ''`);
    await page.getByRole('button', { name: 'Run with changes' }).click();
    await page.getByText('60 rows changed').first().waitFor();
    await expect.poll(() => leaveOf(page).isChecked()).toBe(false);
    await leaveOf(page).check();
    await page.getByLabel('SQL').fill('drop table item');
    expect(await leaveOf(page).isChecked()).toBe(false);
    await leaveOf(page).check();
    const before = page.getByRole('list', { name: 'Run before' });
    await before.getByRole('button', { name: `update item set note = ''` }).click();
    expect(await leaveOf(page).isChecked()).toBe(false);
  });

  it('show their rows, how long they took, and that there is more', async () => {
    const page = await open();
    await runStatement(page, "select n, null as nothing, '' as empty from generate_series(1, 2000) n");
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText('1,000 rows').waitFor();
    await result.getByText('there is more than is shown').waitFor();
    await result.getByText(/^in [\d.]+ m?s$/).waitFor();
    expect(await result.locator('tbody tr').first().locator('td').allTextContents()).toEqual(['1', 'NULL', 'empty']);
  });

  it('are run in part where a part is selected, and show their columns where there are no rows', async () => {
    const page = await open();
    const field = page.getByLabel('SQL');
    const chosen = 'select id, name from item where false';
    await field.fill(`${chosen};\nselect 7 as seven`);
    await field.evaluate((element: HTMLTextAreaElement, end) => element.setSelectionRange(0, end), chosen.length);
    await field.press('Control+Enter');
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText('No rows.').waitFor();
    expect(await result.getByRole('columnheader').allTextContents()).toEqual(['idinteger', 'nametext']);
    await page.getByRole('list', { name: 'Run before' }).getByRole('button', { name: chosen, exact: true }).waitFor();
    await field.fill('');
  });

  it('that were typed and not run are asked about before a reload, a closed tab or a sign-out takes them away', async () => {
    const page = await open();
    const asked: string[] = [];
    const onDialog = (dialog: Dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    };
    page.on('dialog', onDialog);
    onTestFinished(() => void page.off('dialog', onDialog));
    await page.getByLabel('SQL').pressSequentially('select 40 + 2');
    await page.getByRole('link', { name: 'Backups', exact: true }).click();
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    expect([await page.getByLabel('SQL').inputValue(), asked]).toEqual(['select 40 + 2', []]);
    await reloadByHand(page);
    await expect.poll(() => asked, { timeout: 20_000 }).toEqual(['beforeunload']);
    expect(await page.getByLabel('SQL').inputValue()).toBe('select 40 + 2');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Sign out and lose what you typed?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('SQL').press('Control+Enter');
    await page.getByRole('region', { name: 'Result' }).getByText('42').waitFor();
    await page.reload();
    expect([await page.getByLabel('SQL').inputValue(), asked]).toEqual(['', ['beforeunload']]);
  });

  it('that take too long are still there after a look at another tab, and are cancelled', async () => {
    const page = await open();
    await runStatement(page, 'select pg_sleep(25)');
    await page.getByRole('link', { name: 'Backups', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    await page.getByText('Running…').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
    await page.getByRole('list', { name: 'Run before' }).getByText('cancelled').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(0);
    expect(await page.getByLabel('SQL').evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('that end after a sign-out are not shown to whoever signs in next in the tab', async () => {
    const page = await open();
    const path = '**/api/databases/explorer/query';
    const held = Promise.withResolvers<void>();
    onTestFinished(() => page.unroute(path));
    await page.route(path, async (route) => {
      const response = await route.fetch();
      await held.promise;
      // Who asked may not be there any more.
      await route.fulfill({ response }).catch(() => {});
    });
    const { pathname } = new URL(page.url());
    await runStatement(page, "select 'nobody else’s'");
    await page.getByText('Running…').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Sign out and lose what you typed?' });
    await question.getByRole('button', { name: 'Lose it and sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await steps.signIn(page, account);
    await page.getByRole('heading', { name: 'Applications' }).waitFor();
    held.resolve();
    // By links, as in one and the same document.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Databases' }).click();
    await page
      .locator(`a[href="${pathname.replace('/query', '')}"]`)
      .first()
      .click();
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    await page.getByLabel('SQL').waitFor();
    expect(await page.getByRole('list', { name: 'Run before' }).count()).toBe(0);
    expect(await page.getByLabel('SQL').inputValue()).toBe('');
  });
}
