import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { seriousFaults } from './faults.ts';
import { focused } from './focus.ts';
import type { Application, Deployer } from '../deploying.ts';
import { until } from '../platform.ts';

export interface ToldWorld {
  deployer: Deployer;
  /** A static site that was made of an archive, deployed again and rolled back. */
  site: Application;
  server: Application;
  open: (application: Application, tab: string) => Promise<Page>;
}

const deploymentsOf = (page: Page) => page.getByRole('list', { name: 'Deployments' }).getByRole('listitem');

/** What an environment and its deployments tell. Call it within a `describe`. */
export function testTold(world: () => ToldWorld): void {
  it('which databases it is connected to, and which variables come from them', async () => {
    const { deployer, server, open } = world();
    const { client, targetOrganisationId } = deployer;
    const { id } = await client.call('databases.create', { body: { targetOrganisationId, name: 'Orders' } });
    const { environmentId } = server;
    await client.call('databases.connect', { body: { targetOrganisationId, databaseId: id, environmentId } });
    const page = await open(server, '');
    const connected = page.getByRole('list', { name: 'Connected databases' });
    await connected.getByText('DATABASE_URL').waitFor();
    await page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link', { name: 'Variables' }).click();
    const variables = page.getByRole('list', { name: 'Variables from databases' });
    await variables.getByText('DATABASE_URL').waitFor();
    await variables.getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/databases/${id}`);
  });

  it('of certificates that they come where https is served, which it is not here', async () => {
    const { site, open } = world();
    const page = await open(site, '/domain');
    await page.getByText('Where Lilac serves https, its certificate comes').waitFor();
    await page.goto('/domains');
    await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
    expect(await page.getByText(/certificates/).textContent()).toContain(
      'Where Lilac serves https, their certificates',
    );
  });

  it('that a deployment builds the same archive, before it does, with the way to a new one', async () => {
    const { deployer, site, open } = world();
    const before = await deployer.newest(site);
    const page = await open(site, '');
    const button = page.getByRole('button', { name: 'Deploy again to production' });
    const question = page.getByRole('dialog', { name: 'Deploy the same archive to production?' });
    await button.click();
    await question.getByText(before.upload_name!).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await question.getByRole('button', { name: 'Upload a new version' }).click();
    const upload = page.getByRole('dialog', { name: 'Upload a new version of production' });
    await upload.waitFor();
    expect(await question.isVisible(), 'one question at a time').toBe(false);
    await page.keyboard.press('Escape');
    await upload.waitFor({ state: 'hidden' });
    expect([await question.isVisible(), await focused(page)]).toEqual([false, 'Deploy again to production']);
    expect((await deployer.newest(site)).id).toBe(before.id);
    await button.click();
    await question.getByRole('button', { name: 'Deploy again' }).click();
    await page.waitForURL('**/deployments/*');
    await page.getByText('Deployed by ada@example.org').waitFor();
    const { id, upload_name } = await deployer.newest(site);
    expect([page.url().endsWith(id), upload_name]).toEqual([true, before.upload_name]);
    await deployer.healthy(id);
  });

  it('why each deployment is there and by whom, and who went back to it', async () => {
    const { site, open } = world();
    const page = await open(site, '');
    await deploymentsOf(page).first().getByText('Deployed by ada@example.org').waitFor();
    const first = deploymentsOf(page).last();
    await first.getByText('First deployment by ada@example.org').waitFor();
    expect(await first.textContent()).toMatch(/Rollback by ada@example\.org/);
  });

  it('of a failure that what came after it was stopped, and which of the two failed', async () => {
    const { deployer, site, open } = world();
    const { client, targetOrganisationId } = deployer;
    const { environmentId } = site;
    const buildWith = async (buildCommand: string) => {
      await client.call('environments.update', { body: { targetOrganisationId, environmentId, buildCommand } });
      return deployer.deploy(site);
    };
    const failed = await buildWith('false');
    expect((await deployer.ended(failed)).status).toBe('failed');
    const stopped = await buildWith('sleep 600');
    await until('it is being built', async () => (await deployer.newest(site)).status === 'building');
    await client.call('deployments.cancel', { body: { targetOrganisationId, deploymentId: stopped } });
    expect((await deployer.ended(stopped)).status).toBe('cancelled');
    const page = await open(site, '');
    const notice = page.locator('.notice', { hasText: 'The last deployment that was not cancelled failed' });
    expect(await notice.getByRole('link').getAttribute('href')).toBe(`/deployments/${failed}`);
    await deploymentsOf(page).first().getByText('Cancelled by ada@example.org.').waitFor();
    await page.goto(`/apps/${site.id}`);
    await page.getByRole('list', { name: 'Environments' }).getByText('Failed since').waitFor();
  });
}
