import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { desktop, phone, type Visitor } from './browser.ts';
import { seriousFaults } from './faults.ts';
import { focused } from './focus.ts';
import * as steps from './steps.ts';
import { type Application, type Deployer, zip } from '../deploying.ts';
import { until } from '../platform.ts';

export interface LateWorld {
  deployer: Deployer;
  /** A static site that was made of an archive. */
  site: Application;
  open: (application: Application, tab: string) => Promise<Page>;
}

const main = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link', { name });
/** What is told to who has gone elsewhere since. */
const told = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });
const pathOf = (page: Page) => new URL(page.url()).pathname;

/** Typed where it would be lost by going elsewhere; it has the focus. */
async function typeVariable(page: Page): Promise<() => Promise<string[]>> {
  await page.getByRole('button', { name: /^Add/ }).click();
  await page.keyboard.type('TYPED');
  const names = page.getByLabel(/^Name of/);
  return () => names.evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
}

/** Where what has the focus ends on the screen. */
async function lowestEdge(page: Page): Promise<number> {
  return await page.evaluate(() => Math.ceil(document.activeElement!.getBoundingClientRect().bottom));
}

/** What comes of a deployment for who is elsewhere when it is begun. Call it within a `describe`. */
export function testLateDeployments(world: () => LateWorld): void {
  it('takes nobody off the page that they are on by then, and nothing that they typed: it is told, with the way there', async () => {
    const { deployer, site, open } = world();
    const page = await open(site, '');
    const release = await steps.holdCalls(page, '**/api/environments/deploy');
    await page.getByRole('button', { name: 'Deploy again to production' }).click();
    const question = page.getByRole('dialog', { name: 'Deploy the same archive to production?' });
    await question.getByRole('button', { name: 'Deploy again' }).click();
    await page.keyboard.press('Escape');
    await tab(page, 'Variables').click();
    const names = await typeVariable(page);
    await page.setViewportSize(phone);
    // As over a keyboard: what is typed is at the lower end.
    await page.setViewportSize({ ...phone, height: (await lowestEdge(page)) + 10 });
    await release();
    const notice = told(page, 'The deployment of production has started.');
    await notice.waitFor();
    expect(await lowestEdge(page), 'what is typed stays in sight').toBeLessThan((await notice.boundingBox())!.y);
    await page.setViewportSize(desktop);
    expect([pathOf(page), (await names()).at(-1), await page.locator('dialog[open]').count()]).toEqual([
      `/environments/${site.environmentId}/variables`,
      'TYPED',
      0,
    ]);
    expect(await focused(page), 'who types goes on typing').toMatch(/^Name of/);
    expect(await seriousFaults(page)).toEqual([]);
    const { id } = await deployer.newest(site);
    await page.getByRole('button', { name: 'Discard them' }).click();
    await notice.getByRole('link', { name: 'Show it' }).click();
    await page.waitForURL(`**/deployments/${id}`);
    await notice.waitFor({ state: 'detached' });
    await deployer.healthy(id);
  });

  it('and neither does one that was wished for with variables; what is saved is not said to be lost meanwhile', async () => {
    const { deployer, site, open } = world();
    const page = await open(site, '/variables');
    const [releaseSave, releaseDeploy] = [
      await steps.holdCalls(page, '**/api/environments/update'),
      await steps.holdCalls(page, '**/api/environments/deploy'),
    ];
    await typeVariable(page);
    await page.getByRole('button', { name: /^Review/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Save these changes?' });
    await dialog.getByRole('checkbox', { name: /^Deploy right after saving/ }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.keyboard.press('Escape');
    await tab(page, 'Activity').click();
    const question = page.getByRole('dialog', { name: 'Leave while it is sent?' });
    await question.getByText('continues without you').waitFor();
    expect(await question.getByText('not saved').count()).toBe(0);
    await releaseSave();
    await question.waitFor({ state: 'hidden' });
    await tab(page, 'Activity').click();
    await page.getByRole('heading', { name: 'Activity', level: 2 }).waitFor();
    await releaseDeploy();
    const notice = told(page, 'The deployment of production has started.');
    await notice.waitFor();
    expect(pathOf(page)).toBe(`/environments/${site.environmentId}/activity`);
    await notice.getByRole('button', { name: /^Dismiss/ }).click();
    await notice.waitFor({ state: 'detached' });
    await deployer.healthy((await deployer.newest(site)).id);
    const body = { targetOrganisationId: deployer.targetOrganisationId, environmentId: site.environmentId };
    await deployer.client.call('environments.update', { body: { ...body, environmentVarsPatch: { TYPED: null } } });
  });

  it('of a new version is said to go on once all is sent, where nothing can be stopped any more', async () => {
    const { deployer, site, open } = world();
    const before = await deployer.newest(site);
    const page = await open(site, '');
    const release = await steps.holdCalls(page, '**/api/environments/deploy');
    await page.getByRole('button', { name: 'Upload a new version' }).click();
    const upload = page.getByRole('dialog', { name: 'Upload a new version of production' });
    await steps.chooseZip(page, 'late.zip', await zip({ 'index.html': '<p>late</p>' }));
    await upload.getByText('Sent. Its deployment is being started').waitFor();
    await upload.getByRole('button', { name: 'Close' }).click();
    const question = page.getByRole('dialog', { name: 'Close while it begins?' });
    await question.getByText('continues without you').waitFor();
    expect(await page.getByText('nothing is deployed').count()).toBe(0);
    await question.getByRole('button', { name: 'Close', exact: true }).click();
    await upload.waitFor({ state: 'detached' });
    await main(page).getByRole('link', { name: 'Members' }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await release();
    await told(page, 'The new version of production is being deployed.').waitFor();
    expect(pathOf(page)).toBe('/members');
    const { id, upload_name } = await deployer.newest(site);
    expect([id === before.id, upload_name]).toEqual([false, 'late.zip']);
    await deployer.healthy(id);
  });
}

export interface LateDatabaseWorld {
  page: Page;
  deployer: Deployer;
}

/** Call it within a `describe`. */
export function testLateDatabase(world: () => LateDatabaseWorld): void {
  it('of a new database that is being created are not said to be lost; who leaves and types elsewhere stays there', async () => {
    const { page, deployer } = world();
    await page.goto('/databases/new');
    await page.getByLabel('Name', { exact: true }).fill('Late');
    await page.getByLabel('Storage (GB)').fill('1');
    const release = await steps.holdCalls(page, '**/api/databases/create');
    await page.getByRole('button', { name: 'Create database' }).click();
    await page.getByTitle('Account').click();
    const question = page.getByRole('dialog', { name: 'Leave while it is created?' });
    await question.getByText('is being created and continues').waitFor();
    expect(await question.getByText('is lost').count()).toBe(0);
    await question.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('textbox', { name: 'Your name' }).fill('Unsaved');
    await release();
    const notice = told(page, 'The database Late is being created.');
    await notice.waitFor();
    const typed = await page.getByRole('textbox', { name: 'Your name' }).inputValue();
    expect([pathOf(page), typed]).toEqual(['/account', 'Unsaved']);
    await notice.getByRole('link', { name: 'Show it' }).click();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Late', level: 1 }).waitFor();
    const { targetOrganisationId } = deployer;
    const databaseId = pathOf(page).split('/')[2]!;
    await until('it is there', async () => {
      const found = await deployer.client.call('databases.get', { body: { targetOrganisationId, databaseId } });
      return found.status === 'healthy';
    });
    await deployer.client.call('databases.delete', { body: { targetOrganisationId, databaseId, force: true } });
  });
}

/** Call it within a `describe`. */
export function testLateDeletion(world: () => { visitor: Visitor; deployer: Deployer }): void {
  it('who has gone elsewhere and typed while one is deleted stays there, and is told', async () => {
    const { visitor, deployer } = world();
    const { page } = visitor;
    const { id } = await deployer.createFromFiles('Doomed', { 'index.html': '<p>doomed</p>' });
    await page.goto(`/apps/${id}/settings`);
    const release = await steps.holdCalls(page, '**/api/applications/delete');
    await page.getByRole('button', { name: 'Delete Doomed' }).click();
    await page.getByLabel('Type Doomed to confirm').fill('Doomed');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByTitle('Account').click();
    const name = page.getByRole('textbox', { name: 'Your name' });
    await name.fill('Unsaved');
    await release();
    await told(page, 'The application Doomed was deleted.').waitFor();
    expect([pathOf(page), await name.inputValue(), await page.locator('dialog[open]').count()]).toEqual([
      '/account',
      'Unsaved',
      0,
    ]);
    await main(page).getByRole('link', { name: 'Members' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  });

  it('and is told what failed, with the way back to where it was started', async () => {
    const { visitor, deployer } = world();
    const { page } = visitor;
    const { targetOrganisationId, client } = deployer;
    const { id } = await deployer.createFromFiles('Short-lived', { 'index.html': '<p>gone</p>' });
    await page.goto(`/apps/${id}/settings`);
    const release = await steps.holdCalls(page, '**/api/applications/rename');
    await page.getByRole('form', { name: 'Name' }).getByLabel('Name', { exact: true }).fill('Too late');
    await page.keyboard.press('Enter');
    await main(page).getByRole('link', { name: 'Members' }).click();
    const question = page.getByRole('dialog', { name: 'Leave while it is sent?' });
    await question.getByText('If it fails, you will see a notice').waitFor();
    await question.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await client.call('applications.delete', { body: { targetOrganisationId, applicationId: id } });
    await until('it is gone', async () => {
      const { items } = await client.call('applications.list', { body: { targetOrganisationId } });
      return items.every((item) => item.id !== id);
    });
    await release();
    const notice = told(page, 'What you started on “Settings · Short-lived” failed.');
    await notice.waitFor();
    expect(pathOf(page)).toBe('/members');
    expect(await seriousFaults(page)).toEqual([]);
    await notice.getByRole('link', { name: 'Go back there' }).click();
    await page.waitForURL(`**/apps/${id}/settings`);
    await notice.getByRole('button', { name: /^Dismiss/ }).click();
    await notice.waitFor({ state: 'detached' });
    const expected = /404 .*\/api\/applications\/(rename|get)$/;
    expect(visitor.problems.splice(0).filter((problem) => !expected.test(problem))).toEqual([]);
  });
}
