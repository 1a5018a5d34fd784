import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Application, Deployer } from '../deploying.ts';
import { until } from '../platform.ts';
import * as steps from './steps.ts';

export interface ApplicationSettingsWorld {
  deployer: Deployer;
  /** Is called “Store” afterwards. */
  shop: Application;
  page: Page;
  /** The address of another repository, with the same branch. */
  other: string;
}

/** What is set for an application. Call it within a `describe`. */
export function testApplicationSettings(world: () => ApplicationSettingsWorld): void {
  it('offer to deploy pushes where a host can tell of one, and say why where none can', async () => {
    const { shop, page } = world();
    await page.goto(`/apps/${shop.id}/settings`);
    const section = page.getByRole('region', { name: 'Automatic deployments' });
    await section.getByText(/GitHub \(.+\) is not set up on this platform\./).waitFor();
    expect(await section.getByRole('checkbox').count()).toBe(0);
    await page.goto(`/environments/${shop.environmentId}/settings`);
    await page.getByText(/A push deploys nothing by itself\. GitHub \(.+\) is not set up/).waitFor();
    expect(await page.getByRole('checkbox', { name: /every push/ }).count()).toBe(0);
  });

  it('say what cannot be changed, with what it is', async () => {
    const { shop, page } = world();
    await page.goto(`/apps/${shop.id}/settings`);
    const build = page.getByRole('region', { name: 'Build' });
    await build.getByText('cannot be changed').waitFor();
    expect(await build.locator('dd').allTextContents()).toEqual(['A site of files', 'the whole repository']);
  });

  it('that are not saved are asked about before they are lost, all at once, and not once they are', async () => {
    const { shop, page } = world();
    await page.goto(`/apps/${shop.id}`);
    const tab = (label: string) =>
      page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link', { name: label });
    const environments = page.getByRole('list', { name: 'Environments' });
    await tab('Settings').click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    const name = page.getByRole('form', { name: 'Name' });
    const build = page.getByRole('form', { name: 'Build' });
    await name.getByLabel('Name', { exact: true }).fill('Never');
    await build.getByLabel('Output folder').fill('nowhere');
    await tab('Overview').click();
    await question.getByText('The new name is not saved.').waitFor();
    await question.getByText('What you changed under “Build” is not saved.').waitFor();
    await question.getByRole('button', { name: 'Stay here' }).click();
    expect(await name.getByLabel('Name', { exact: true }).inputValue()).toBe('Never');
    await build.getByLabel('Output folder').fill('');
    await page.goBack();
    await question.getByText('The new name is not saved.').waitFor();
    expect(await question.getByText('“Build”').count(), 'it is as it is saved again').toBe(0);
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await environments.waitFor();
    await tab('Settings').click();
    expect(await name.getByLabel('Name', { exact: true }).inputValue()).toBe('Shop');
    await tab('Overview').click();
    await environments.waitFor();
  });

  it('are saved: the build, what a push does, the name', async () => {
    const { deployer, shop, page } = world();
    await page.goto(`/apps/${shop.id}/settings`);
    const build = page.getByRole('form', { name: 'Build' });
    expect(await build.getByLabel('Build command').getAttribute('placeholder')).toBe('sh build.sh');
    await build.getByLabel('Build command').fill('sh build.sh && true');
    await build.getByRole('button', { name: 'Save' }).click();
    await build.getByText(/^Saved/).waitFor();
    const pushes = page.getByRole('form', { name: 'Automatic deployments' });
    await switchOnPushes(world());
    await pushes.getByLabel('Branches with an environment of their own').fill('feature/*\nfix-*');
    await pushes.getByRole('button', { name: 'Save' }).click();
    await pushes.getByText('Saved').waitFor();
    await page.getByText('Pushes are not deployed.').waitFor();
    const name = page.getByRole('form', { name: 'Name' });
    await name.getByLabel('Name', { exact: true }).fill('Store');
    await name.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Store', level: 1 }).waitFor();
    const { targetOrganisationId } = deployer;
    const get = { body: { targetOrganisationId, applicationId: shop.id } };
    expect(await deployer.client.call('applications.get', get)).toMatchObject({
      name: 'Store',
      auto_deploy_branches: ['feature/*', 'fix-*'],
    });
    const environment = { body: { targetOrganisationId, environmentId: shop.environmentId } };
    expect((await deployer.client.call('environments.get', environment)).build_command).toBe('sh build.sh && true');
  });

  it('name the repository, and another that has the branch can take its place', async () => {
    const { deployer, shop, page, other } = world();
    await page.goto(`/apps/${shop.id}/settings`);
    const form = page.getByRole('form', { name: 'Repository' });
    const before = await form.getByLabel('Address').inputValue();
    const use = async (address: string) => {
      await form.getByLabel('Address').fill(address);
      await form.getByRole('button', { name: 'Use this repository' }).click();
    };
    const saved = async () => {
      const body = { targetOrganisationId: deployer.targetOrganisationId, applicationId: shop.id };
      return (await deployer.client.call('applications.get', { body })).vcs_repo_url;
    };
    await use(`${other}-that-is-not-there`);
    await form.getByRole('alert').waitFor();
    expect(await saved()).toBe(before);
    await use(other);
    await form.getByText(/^Saved/).waitFor();
    expect(await saved()).toBe(other);
    await use(before);
    await until('it is as it was', async () => (await saved()) === before);
  });

  it('are sent where they were changed, and follow what others save where they were not', async () => {
    const { deployer, shop, page } = world();
    const body = { targetOrganisationId: deployer.targetOrganisationId, applicationId: shop.id };
    await page.goto(`/apps/${shop.id}/settings`);
    const form = page.getByRole('form', { name: 'Automatic deployments' });
    const branches = form.getByLabel('Branches with an environment of their own');
    const stale = form.getByRole('checkbox', { name: /When a branch is deleted/ });
    const wasStale = await stale.isChecked();
    await branches.fill('mine/*');
    await deployer.client.call('applications.update', { body: { ...body, autoDeleteStaleEnvs: !wasStale } });
    await steps.lookAgain(page);
    await until('it is shown', async () => (await stale.isChecked()) !== wasStale);
    expect(await branches.inputValue(), 'what was typed is kept').toBe('mine/*');
    const asked = page.waitForRequest('**/api/applications/update');
    await form.getByRole('button', { name: 'Save' }).click();
    expect((await asked).postDataJSON()).toEqual({ ...body, autoDeployBranches: ['mine/*'] });
    await form.getByText('Saved').waitFor();
    const saved = await deployer.client.call('applications.get', { body });
    expect(saved).toMatchObject({ auto_deploy_branches: ['mine/*'], auto_delete_stale_envs: !wasStale });
  });

  it('of a server are its size: the processors follow the memory, what is saved counts, and nothing else is written over', async () => {
    const { deployer, page } = world();
    const files = { 'server.js': "require('http').createServer((_, out) => out.end()).listen(process.env.PORT)" };
    const server = await deployer.createFromFiles('Server', files, {
      deploymentType: 'container',
      startCommand: 'node server.js',
    });
    await page.goto(`/apps/${server.id}/settings`);
    const form = page.getByRole('form', { name: 'Size of an instance' });
    await form.getByLabel('Memory').selectOption('1Gi');
    const processors = form.getByLabel('CPU');
    await processors.locator('option[value="1"]').waitFor({ state: 'attached' });
    await processors.selectOption('1');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(/^Saved/).waitFor();
    const body = { targetOrganisationId: deployer.targetOrganisationId, environmentId: server.environmentId };
    const production = () => deployer.client.call('environments.get', { body });
    expect(await production()).toMatchObject({ memory: '1Gi', cpu: '1' });
    // What a colleague has changed meanwhile is not written over by who changes something else.
    await deployer.client.call('environments.update', { body: { ...body, memory: '2Gi' } });
    await processors.selectOption('');
    const saved = page.waitForResponse('**/api/environments/update');
    await form.getByRole('button', { name: 'Save' }).click();
    await saved;
    expect(await production()).toMatchObject({ memory: '2Gi', cpu: null });
  });
}

/** As a terminal can do it where the console does not offer it. */
async function switchOnPushes({ deployer: { client, targetOrganisationId }, shop, page }: ApplicationSettingsWorld) {
  const body = { targetOrganisationId, applicationId: shop.id, autoDeployOnPush: true };
  await client.call('applications.update', { body });
  await steps.lookAgain(page);
}
