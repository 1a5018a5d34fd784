import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { focused } from './console-focus.ts';
import * as steps from './console-steps.ts';
import type { Application, Deployer } from './deploying.ts';

export interface VariablesWorld {
  deployer: Deployer;
  server: Application;
  /** Opens a tab of the server's page, where the clipboard may be used. */
  open(tab: string): Promise<Page>;
}

/** The variables of an environment. Call it within a `describe`. */
export function testVariables(world: () => VariablesWorld): void {
  it('that are not saved are asked about before they are lost', async () => {
    const page = await world().open('/variables');
    await page.getByText('And paste a whole .env file into its name').waitFor();
    await page.getByRole('button', { name: /^Add/ }).click();
    await page.getByText('Or paste a whole .env file into a name.').waitFor();
    await page.getByLabel(/^Name of/).fill('LOST');
    const tab = page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link', { name: 'Activity' });
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await tab.click();
    await dialog.getByText('1 change to the variables is not saved.').waitFor();
    await dialog.getByRole('button', { name: 'Stay here' }).click();
    expect(await page.getByLabel(/^Name of/).inputValue()).toBe('LOST');
    await tab.click();
    await dialog.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    await page.goBack();
    expect(await page.getByLabel(/^Name of/).count()).toBe(0);
  });

  it('are hidden until they are shown; what saving adds, changes and removes is listed first, and nothing else is done', async () => {
    const { deployer, server } = world();
    const before = await deployer.newest(server);
    await setVariables(world(), { KEPT: 'as it is', CHANGED: 'once', REMOVED: 'old secret' });
    const page = await world().open('/variables');
    const value = page.getByLabel('Value of CHANGED', { exact: true });
    expect(await canRead(value, 'once')).toBe(false);
    await page.getByRole('button', { name: 'Show the value of CHANGED' }).click();
    expect(await canRead(value, 'once')).toBe(true);
    expect(await canRead(page.getByLabel('Value of REMOVED', { exact: true }), 'old secret')).toBe(false);
    await value.fill('twice');
    await page.getByRole('button', { name: 'Remove REMOVED' }).click();
    expect(await focused(page)).toBe('Remove KEPT');
    await page.getByRole('button', { name: /^Add/ }).click();
    await steps.paste(page, '# of the shop\nGREETING="  hello = \\"you\\""\nCOUNT=1\nNONE=\nexport COUNT=2\n');
    await page.getByText('3 variables pasted. More than once in it: COUNT; the last value counts.').waitFor();
    await page.getByRole('button', { name: 'Review 5 changes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save these changes?' });
    const changes = dialog.locator('dl[aria-label=Changes]');
    expect(await changes.locator('dt').allTextContents()).toEqual(['added', 'added', 'added', 'changed', 'removed']);
    expect(await changes.locator('dd code:first-child').allTextContents()).toEqual([
      'COUNT',
      'GREETING',
      'NONE',
      'CHANGED',
      'REMOVED',
    ]);
    expect(await changes.textContent()).not.toMatch(/twice|old secret/);
    expect(await changes.locator('dd .value').nth(2).textContent()).toBe('(empty)');
    await dialog.getByRole('button', { name: 'Show values' }).click();
    expect(await changes.locator('dd .value').allTextContents()).toEqual([
      '2',
      '  hello = "you"',
      '(empty)',
      'once\n→ twice',
      'old secret',
    ]);
    await dialog.getByLabel('Deploy right after saving').uncheck();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved. They apply on the next build.').waitFor();
    expect((await environmentOf(world())).environment_vars).toEqual({
      KEPT: 'as it is',
      CHANGED: 'twice',
      GREETING: '  hello = "you"',
      COUNT: '2',
      NONE: '',
    });
    expect((await deployer.newest(server)).id).toBe(before.id);
    await page.getByRole('link', { name: 'Activity', exact: true }).last().click();
    await page.getByText('Environment variables updated').first().waitFor();
  });
}

const addressOf = ({ deployer: { targetOrganisationId }, server: { environmentId } }: VariablesWorld) => ({
  targetOrganisationId,
  environmentId,
});

const environmentOf = (world: VariablesWorld) =>
  world.deployer.client.call('environments.get', { body: addressOf(world) });

const setVariables = (world: VariablesWorld, environmentVars: Record<string, string>) =>
  world.deployer.client.call('environments.update', { body: { ...addressOf(world), environmentVars } });

/** Whether somebody who looks at the field sees that text. */
const canRead = (field: Locator, text: string) =>
  field.evaluate((element: HTMLTextAreaElement, wanted) => {
    const isDotted = getComputedStyle(element).getPropertyValue('-webkit-text-security') !== 'none';
    return !isDotted && element.value.includes(wanted);
  }, text);
