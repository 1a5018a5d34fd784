import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import * as steps from './steps.ts';
import type { Deployer } from '../deploying.ts';

export interface OrganisationWorld {
  /** Ada, signed in. */
  page: Page;
  /** A session of hers beside the browser, of an organisation on the plan pro that has a database "Orders". */
  deployer: Deployer;
}

/** What is asked before something of an organisation is taken away. Call it within a `describe`. */
export function testOrganisation(world: () => OrganisationWorld): void {
  it('of a smaller plan it is asked first, with what stops; of a larger one not', async () => {
    const { page, deployer } = world();
    const body = { targetOrganisationId: deployer.targetOrganisationId };
    const planNow = async () => (await deployer.client.call('organisations.get', { body })).plan;
    await page.goto('/organisation');
    const choose = async (plan: string) => {
      await page.getByRole('combobox', { name: 'Plan' }).selectOption(plan);
      await page.getByRole('button', { name: 'Change plan' }).click();
    };
    const question = page.getByRole('dialog', { name: 'Change from pro to the smaller plan free?' });
    await choose('free');
    await question.getByText('API keys stop working at once').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByText('Saved', { exact: true }).count()).toBe(0);
    expect(await planNow()).toBe('pro');
    await choose('free');
    await question.getByRole('button', { name: 'Change plan' }).click();
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    expect(await planNow()).toBe('free');
    await page.goto('/keys');
    await page.getByText('The free plan has no API keys').waitFor();
    expect(await page.getByRole('button', { name: 'Create key' }).count(), 'it could only be refused').toBe(0);
    await page.getByRole('link', { name: 'Change the plan' }).click();
    await choose('pro');
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    expect(await planNow()).toBe('pro');
  });

  it('its settings that are not saved are asked about before they are lost', async () => {
    const { page } = world();
    await page.goto('/organisation');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    const name = page.getByRole('form', { name: 'Rename the organisation' }).getByLabel('Name', { exact: true });
    const plan = page.getByRole('combobox', { name: 'Plan' });
    const [savedName, savedPlan] = [await name.inputValue(), await plan.inputValue()];
    await name.fill('Never');
    await plan.selectOption('free');
    await toMembers(page);
    await question.getByText('The new name is not saved.').waitFor();
    await question.getByText('The plan that you chose is not saved.').waitFor();
    await question.getByRole('button', { name: 'Stay here' }).click();
    expect([await name.inputValue(), await plan.inputValue()]).toEqual(['Never', 'free']);
    await name.fill(savedName);
    await plan.selectOption(savedPlan);
    await steps.goTo(page, 'Members');
    expect(await question.count()).toBe(0);
  });

  it('a new password of one’s own that is not saved is asked about too', async () => {
    const { page } = world();
    await page.goto('/account');
    await page.getByRole('form', { name: 'Change your password' }).getByLabel('New password').fill('never said');
    await toMembers(page);
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByText('The new password that you typed is not saved.').waitFor();
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    expect(await question.count()).toBe(0);
  });

  it('its activity leads to the databases that it tells of', async () => {
    const { page, deployer } = world();
    const { targetOrganisationId } = deployer;
    const { items } = await deployer.client.call('databases.list', {
      body: { targetOrganisationId, filter: 'Orders' },
    });
    const { id } = items.find(({ name }) => name === 'Orders')!;
    await page.goto('/activity');
    const entry = page
      .getByRole('list', { name: 'Activity' })
      .getByRole('listitem')
      .filter({ hasText: 'Database created' });
    expect(await entry.getByRole('link', { name: 'Orders', exact: true }).getAttribute('href')).toBe(
      `/databases/${id}`,
    );
  });

  it('an organisation is deleted by who types its name, and has read what goes with it', async () => {
    const { page, deployer } = world();
    const names = async () =>
      (await deployer.client.call('auth.profile', {})).organisations.map(({ name }) => name).toSorted();
    const before = await names();
    await page.goto('/organisations/new');
    await page.getByLabel('Name', { exact: true }).fill('Passing');
    await page.getByRole('button', { name: 'Create organisation' }).click();
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
    await steps.goTo(page, 'Organisation');
    await page.getByRole('button', { name: 'Delete Passing' }).click();
    const question = page.getByRole('dialog', { name: 'Delete Passing?' });
    await question.getByText('gone for good').waitFor();
    expect(await question.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
    expect(await names()).toEqual([...before, 'Passing'].toSorted());
    await question.getByLabel('Type Passing to confirm').fill('Passing');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
    expect(await names()).toEqual(before);
  });

  it('until it is known to be theirs, who makes one stays in the one where they are', async () => {
    const { page, deployer } = world();
    const { client } = deployer;
    const switcher = page.getByRole('combobox', { name: 'Organisation' });
    const chosen = () => switcher.locator('option:checked').textContent();
    const { id: second } = await client.call('organisations.create', { body: { name: 'Second' } });
    await page.goto('/organisations/new');
    const first = (await chosen())!;
    await switcher.selectOption({ label: 'Second' });
    await page.getByLabel('Name', { exact: true }).fill('Third');
    const letKnow = await steps.holdCalls(page, '**/api/auth/profile');
    const asked = page.waitForRequest('**/api/auth/profile');
    await page.getByRole('button', { name: 'Create organisation' }).click();
    await asked;
    expect([new URL(page.url()).pathname, await chosen()]).toEqual(['/organisations/new', 'Second']);
    await letKnow();
    await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
    expect(await chosen()).toBe('Third');
    await steps.settle(page);
    await switcher.selectOption({ label: first });
    await steps.settle(page);
    const { organisations } = await client.call('auth.profile', {});
    const { id: third } = organisations.find(({ name }) => name === 'Third')!;
    for (const targetOrganisationId of [second, third]) {
      await client.call('organisations.delete', { body: { targetOrganisationId } });
    }
  });

  it('one that is made or deleted late takes nobody along who has gone elsewhere by then, and nothing that they typed', async () => {
    const { page } = world();
    const told = (text: string) => page.getByRole('status').getByText(text).waitFor();
    const switcher = page.getByRole('combobox', { name: 'Organisation' });
    const chosen = () => switcher.locator('option:checked').textContent();
    await page.goto('/organisations/new');
    const before = await chosen();
    await page.getByLabel('Name', { exact: true }).fill('Fleeting');
    const letCreate = await steps.holdCalls(page, '**/api/organisations/create');
    await page.getByRole('button', { name: 'Create organisation' }).click();
    await toMembers(page);
    await letCreate();
    await told('The organisation Fleeting was created. You can switch to it.');
    expect([new URL(page.url()).pathname, await chosen()]).toEqual(['/members', before]);
    await switcher.selectOption({ label: 'Fleeting' });
    await steps.goTo(page, 'Organisation');
    const letDelete = await steps.holdCalls(page, '**/api/organisations/delete');
    await page.getByRole('button', { name: 'Delete Fleeting' }).click();
    await page.getByLabel('Type Fleeting to confirm').fill('Fleeting');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByTitle('Account').click();
    const name = page.getByLabel('Your name', { exact: true });
    await name.fill('Unsaved');
    await letDelete();
    await told('The organisation Fleeting was deleted.');
    await switcher.getByText('Fleeting').waitFor({ state: 'detached' });
    expect([new URL(page.url()).pathname, await name.inputValue()]).toEqual(['/account', 'Unsaved']);
    await toMembers(page);
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  });
}

const toMembers = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Members' }).click();
