import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { focused } from './focus.ts';
import { startClock } from './log-scroll.ts';
import * as steps from './steps.ts';
import type { Application, Deployer } from '../deploying.ts';

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
    await page.getByRole('button', { name: /^Add/ }).click();
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

  it('are taken from a whole .env file, pasted or typed, beside those that are there', async () => {
    await setVariables(world(), { KEPT: 'as it is', CHANGED: 'once' });
    const page = await world().open('/variables');
    const button = page.getByRole('button', { name: 'Paste .env' });
    await page.getByLabel('Value of CHANGED', { exact: true }).waitFor();
    await button.click();
    await steps.paste(page, '# mine\nCHANGED=twice\nexport ADDED="a b"\n');
    await page.getByRole('status').getByText('2 variables pasted.').waitFor();
    expect(await focused(page)).toBe('Paste .env');
    expect(await canRead(page.getByLabel('Value of ADDED', { exact: true }), 'a b')).toBe(false);
    await page.keyboard.press('Enter');
    const area = page.getByLabel('Contents of the .env file');
    await area.fill('nothing of the kind');
    await page.getByRole('button', { name: 'Add these' }).click();
    await page.getByText('No line has a name, an = and a value.').waitFor();
    await area.fill('TYPED=too');
    await page.getByRole('button', { name: 'Add these' }).click();
    await page.getByRole('status').getByText('1 variable pasted.').waitFor();
    expect(await area.count()).toBe(0);
    expect(
      await page.getByLabel(/^Name of/).evaluateAll((fields: HTMLInputElement[]) => fields.map((each) => each.value)),
    ).toEqual(['CHANGED', 'KEPT', 'ADDED', 'TYPED']);
    await page.getByRole('button', { name: 'Show the value of CHANGED' }).click();
    expect(await canRead(page.getByLabel('Value of CHANGED', { exact: true }), 'twice')).toBe(true);
    await button.click();
    await area.fill('LEFT=behind');
    await page.getByRole('button', { name: 'Review 3 changes' }).click();
    expect([await page.getByRole('dialog').count(), await area.inputValue()]).toEqual([0, 'LEFT=behind']);
    await page.getByRole('button', { name: 'Discard them' }).click();
    await page.getByRole('link', { name: 'Activity', exact: true }).last().click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByText('The .env text you typed has not been added yet.').waitFor();
    await question.getByRole('button', { name: 'Stay here' }).click();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    expect(await area.count()).toBe(0);
    await setVariables(world(), {});
  });

  it('are copied as a .env file, with what is not saved yet, and discarded until then', async () => {
    await setVariables(world(), { PLAIN: 'as it is', QUOTED: 'it\'s "said"' });
    const page = await world().open('/variables');
    const value = page.getByLabel('Value of PLAIN', { exact: true });
    await value.fill('another one');
    await page.getByRole('button', { name: 'Remove QUOTED' }).click();
    await page.getByRole('button', { name: 'Copy as .env' }).click();
    await page.getByRole('status').getByText('Copied', { exact: true }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("PLAIN='another one'\n");
    await page.getByRole('button', { name: 'Discard them' }).click();
    await page.getByLabel('Value of QUOTED', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show the value of PLAIN' }).click();
    expect(await canRead(value, 'as it is')).toBe(true);
    expect(await page.getByRole('button', { name: 'Review changes' }).isDisabled()).toBe(true);
    expect((await environmentOf(world())).environment_vars).toEqual({ PLAIN: 'as it is', QUOTED: 'it\'s "said"' });
    await setVariables(world(), {});
  });

  it('give neither dots nor a value away while they are hidden, and are edited all the same', async () => {
    await setVariables(world(), { SECRET: 'never told', OTHER: 'of old' });
    const page = await world().open('/variables');
    const secret = page.getByLabel('Value of SECRET', { exact: true });
    await secret.waitFor();
    expect(await page.title()).toMatch(/^Variables · production · .+ · Lilac$/);
    expect(await page.locator('main').ariaSnapshot()).not.toMatch(/never told|of old/);
    await page.evaluate(() => navigator.clipboard.writeText('copied before'));
    await secret.click();
    for (const key of ['c', 'x']) {
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.press(`ControlOrMeta+${key}`);
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('copied before');
      expect(await secret.inputValue(), 'nothing is cut').toBe('never told');
    }
    expect(await canBeDragged(secret)).toBe(false);
    const other = page.getByLabel('Value of OTHER', { exact: true });
    await other.click();
    await page.keyboard.press('End');
    await page.keyboard.type(' and new');
    expect(await other.inputValue()).toBe('of old and new');
    await secret.fill('another');
    await page.getByRole('button', { name: 'Show the value of SECRET' }).click();
    expect(await canRead(secret, 'another')).toBe(true);
    await secret.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+c');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('another');
    expect(await canBeDragged(secret)).toBe(true);
    expect(await canRead(other, 'of old and new')).toBe(false);
    await setVariables(world(), {});
  });
}

const LETTERS = 'typed by somebody';
/**
 * Measured: a letter among 990 rows takes four to six times as much as among 5, and more than nine where all are drawn
 * anew.
 */
const MOST_TIMES = 8;

/** Nearly as many as there may be. Call it within a `describe`. */
export function testManyVariables(world: () => VariablesWorld): void {
  it('are typed without waiting, and said to be too many as soon as they are', async () => {
    const alone = await measureTyping(world(), 5);
    const among = await measureTyping(world(), 990);
    expect(among, `${alone} ms where there are few`).toBeLessThan(MOST_TIMES * alone);
    const page = await world().open('/variables');
    await page.getByLabel('Value of NAME_0', { exact: true }).waitFor();
    const tooMany = page.getByRole('alert').getByText('at most 1,000 variables; these are 1,001');
    await page.getByRole('button', { name: /^Add/ }).click();
    await steps.paste(page, Array.from({ length: 10 }, (_, at) => `MORE_${at}=1`).join('\n'));
    await page.getByText('10 variables pasted.').waitFor();
    expect(await tooMany.count()).toBe(0);
    await page.getByRole('button', { name: /^Add/ }).click();
    await page.getByLabel(/^Name of variable/).fill('ONE_MORE');
    await tooMany.waitFor();
    expect(await page.getByRole('button', { name: /^Review/ }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Remove ONE_MORE' }).click();
    await tooMany.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Review/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Save these changes?' });
    await dialog.getByLabel('Deploy right after saving').uncheck();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved. They apply on the next build.').waitFor();
    expect(await page.getByText('10 variables pasted.').count(), 'it is no news any more').toBe(0);
    await setVariables(world(), {});
  });
}

/** What a letter takes of a processor, in milliseconds: how busy the machine is does not count. */
async function measureTyping(world: VariablesWorld, count: number): Promise<number> {
  const names = Array.from({ length: count }, (_, at) => `NAME_${at}`);
  await setVariables(world, Object.fromEntries(names.map((name) => [name, `value of ${name}`])));
  const page = await world.open('/variables');
  const value = page.getByLabel(`Value of NAME_${Math.floor(count / 2)}`, { exact: true });
  await value.click();
  await using clock = await startClock(page);
  const before = await clock.busyMs();
  for (const letter of LETTERS) await page.keyboard.press(letter === ' ' ? 'Space' : letter);
  const perLetterMs = ((await clock.busyMs()) - before) / LETTERS.length;
  expect(await value.inputValue()).toContain(LETTERS);
  return perLetterMs;
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

const canBeDragged = (field: Locator) =>
  field.evaluate((element) => element.dispatchEvent(new DragEvent('dragstart', { bubbles: true, cancelable: true })));
