import type { Page } from 'playwright-core';
import { consolePaths } from '../../../contract/src/console-paths.ts';
import { standInForDomains } from '../domains-stand-in.ts';
import type { Camera } from './camera.ts';
import type { World, WorldIds } from './world.ts';
import * as steps from '../steps.ts';

/** These are for whoever holds a link, and are taken where the link is. */
const byLink: readonly string[] = ['/sign-in', '/setup', '/invite', '/device', '/connect'];

/** Every page that has an address of its own. */
export async function takePages(page: Page, camera: Camera, world: World): Promise<void> {
  for (const path of consolePaths.filter((each) => !byLink.includes(each))) {
    await open(page, addressOf(path, world));
    // They come by a stream, which nobody waits for.
    if (path.endsWith('/logs')) await page.locator('.log-line').first().waitFor();
    await camera(nameOf(path));
  }
  await open(page, `/deployments/${world.failedId}`);
  await camera('deployment-failed');
  await open(page, `/deployments/${world.gitId}`);
  await camera('deployment-git');
  await open(page, '/');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('sho');
  await page.getByRole('option', { name: /production/ }).waitFor();
  await camera('search');
  await page.keyboard.press('Escape');
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('load');
}

function addressOf(path: string, world: World): string {
  return path.replace(/:(\w+)/g, (_, name: string) => world[name as keyof WorldIds]);
}

/** `/databases/:databaseId/data` is `databases-one-data`. */
function nameOf(path: string): string {
  return path === '/' ? 'applications' : path.slice(1).replace(/:\w+/g, 'one').replaceAll('/', '-');
}

export async function takeKeys(page: Page, camera: Camera): Promise<void> {
  await steps.goTo(page, 'API keys');
  await page.getByRole('textbox', { name: 'Name' }).fill('deploy bot');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Secret', { exact: true }).waitFor();
  await camera('keys-secret');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke deploy bot' }).first().click();
  await camera('keys-revoke');
  await steps.confirmDialog(page, 'Revoke');
}

/** One of each that a domain can be, made up here: some of them last only for a moment. */
export async function takeDomains(page: Page, camera: Camera): Promise<void> {
  const undo = await standInForDomains(page);
  await steps.goTo(page, 'Domains');
  await page.getByText('served, needs attention').waitFor();
  await camera('domains-states');
  await page.getByRole('button', { name: 'Remove www.example.org' }).click();
  await camera('domains-remove');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await undo();
}

/** Enrols a second factor, and turns it off again for who comes next. */
export async function takeAccount(page: Page, camera: Camera, ada: steps.Account): Promise<void> {
  await steps.openAccount(page, ada);
  await page.getByRole('button', { name: 'Set up' }).click();
  const form = page.getByRole('form', { name: 'Set up a second factor' });
  await form.getByLabel('Current password').fill('not the password');
  await form.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alert').waitFor();
  await camera('account-refused');
  await form.getByLabel('Current password').fill(ada.password);
  await form.getByRole('button', { name: 'Continue' }).click();
  const secret = await steps.secretForApp(page);
  await camera('account-enrol');
  await page.getByLabel('Code', { exact: true }).fill(steps.totpCode(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' });
  await codes.waitFor();
  await camera('account-recovery-codes');
  const [code] = await codes.getByRole('listitem').allTextContents();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('button', { name: 'Turn off' }).click();
  const off = page.getByRole('form', { name: 'Turn the second factor off' });
  await off.getByLabel('Current password').fill(ada.password);
  await off.getByLabel('Code').fill(code!);
  await off.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('button', { name: 'Set up' }).waitFor();
}
