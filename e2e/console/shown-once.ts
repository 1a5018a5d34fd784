import { expect } from 'vitest';
import type { Visitor } from './browser.ts';
import * as steps from './steps.ts';
import type { Deployer } from '../deploying.ts';

interface ShownOnceWorld {
  /** A session of the owner's beside the browser. */
  deployer: Deployer;
  /** Signed in. */
  owner: Visitor;
  /** The owner's. */
  password: string;
}

export async function keepsShownOnce({ deployer, owner: { page } }: ShownOnceWorld): Promise<void> {
  const elsewhere = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Domains' });
  const question = page.getByRole('dialog', { name: 'Leave without a copy?' });
  const link = page.getByLabel('Link', { exact: true });
  const invite = async () => {
    await page.goto('/members');
    await page.getByLabel('E-mail').fill('dan@example.org');
    await page.getByRole('button', { name: 'Create invitation' }).click();
    await link.waitFor();
  };
  await invite();
  const shown = await link.inputValue();
  await elsewhere.click();
  await question.getByRole('button', { name: 'Stay here' }).click();
  expect(await link.inputValue()).toBe(shown);
  await elsewhere.click();
  await question.getByRole('button', { name: 'Leave and lose it' }).click();
  await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
  await withdrawAll(deployer);
  await invite();
  await page.getByRole('button', { name: 'Copy: Link' }).click();
  await page.getByRole('status').getByText('Copied').waitFor();
  await elsewhere.click();
  await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
  await withdrawAll(deployer);
}

export async function keepsWhatIsMade({ deployer, owner: { page }, password }: ShownOnceWorld): Promise<void> {
  const staysFor = async (path: string, button: string, words: string) => {
    const release = await steps.holdCalls(page, path);
    await page.getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Domains' }).click();
    const question = page.getByRole('dialog', { name: /^Leave while/ });
    await question.getByText(words).waitFor();
    await question.getByText('shown only once, here').waitFor();
    const isLetGo = () => page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })));
    expect(await isLetGo(), 'the browser asks too').toBe(false);
    await question.getByRole('button', { name: 'Stay here' }).click();
    const cancel = page.getByRole('main').getByRole('button', { name: 'Cancel', exact: true });
    expect(await cancel.count(), 'what nobody can take back').toBe(
      await cancel.and(page.locator('[aria-disabled]')).count(),
    );
    // And who thinks it over until it is there has it before them.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Domains' }).click();
    await release();
    await question.waitFor({ state: 'detached' });
  };
  await page.goto('/members');
  await page.getByLabel('E-mail').fill('dan@example.org');
  await staysFor('**/api/organisations/invite', 'Create invitation', 'The link of the invitation is being made');
  await page.getByLabel('Link', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await withdrawAll(deployer);
  await steps.choosePlan(page, 'pro');
  await steps.goTo(page, 'API keys');
  await page.getByRole('textbox', { name: 'Name' }).fill('late');
  await staysFor('**/api/api-keys/create', 'Create key', 'The key is being made');
  await page.getByLabel('Secret', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.goto('/account');
  await page.getByRole('button', { name: 'Set up' }).click();
  const begin = page.getByRole('form', { name: 'Set up a second factor' });
  await begin.getByLabel('Current password').fill(password);
  await begin.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Code', { exact: true }).fill(steps.totpCode(await steps.secretForApp(page)));
  await staysFor('**/api/profile/mfa/confirm', 'Turn on', 'The second factor is being turned on');
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await codes.first().waitFor();
  const [first] = await codes.allTextContents();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('button', { name: 'New recovery codes' }).click();
  await page.getByLabel('Code', { exact: true }).fill(first!);
  await staysFor('**/api/profile/mfa/recovery-codes', 'Replace the codes', 'New recovery codes are being made');
  await codes.getByText(first!).waitFor({ state: 'detached' });
  const renewed = await codes.allTextContents();
  expect(renewed).toHaveLength(10);
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('button', { name: 'Turn off' }).click();
  const end = page.getByRole('form', { name: 'Turn the second factor off' });
  await end.getByLabel('Current password').fill(password);
  await end.getByLabel('Code').fill(renewed[0]!);
  await end.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('button', { name: 'Set up' }).waitFor();
}

export async function withdrawAll({ client, targetOrganisationId }: Deployer): Promise<void> {
  for (const { id } of await client.call('organisations.invitations', { body: { targetOrganisationId } })) {
    await client.call('organisations.invitations.revoke', { body: { targetOrganisationId, invitationId: id } });
  }
}
