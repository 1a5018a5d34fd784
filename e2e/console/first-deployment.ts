import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import * as steps from './steps.ts';
import type { Deployer } from '../deploying.ts';
import { until } from '../platform.ts';

export interface FirstDeploymentWorld {
  deployer: Deployer;
  page: Page;
}

const files = { 'index.html': '<p>first</p>' };

/** Where nothing is served yet, and the first attempt came to nothing. Call it within a `describe`. */
export function testFirstDeployment(world: () => FirstDeploymentWorld): void {
  it('that failed says what the build said, and leads to what mends it', async () => {
    const { deployer, page } = world();
    const broken = { ...files, 'build.sh': 'echo "error: no such basket"; exit 3' };
    const application = await deployer.createFromFiles('Basket', broken, {
      buildCommand: 'sh build.sh',
      outputDirectory: '.',
    });
    const { id } = await deployer.newest(application);
    await deployer.ended(id);
    await page.goto(`/environments/${application.environmentId}`);
    await page.getByRole('link', { name: 'Look at the deployment' }).click();
    await page.getByRole('alert').getByText('error: no such basket').waitFor();
    await page.getByText('Nothing is served yet. Fix the project and upload a new version').waitFor();
    await page.getByRole('button', { name: 'Upload a new version' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'how it is built' }).click();
    const build = page.getByRole('form', { name: 'Build' });
    await build.getByLabel('Build command').fill('true');
    await build.getByRole('button', { name: 'Save' }).click();
    await build.getByText(/^Saved/).waitFor();
    await page.goto(`/deployments/${id}`);
    await page.getByRole('button', { name: 'Deploy again' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.getByText('live', { exact: true }).waitFor();
    await page.goto(`/deployments/${id}`);
    await page.getByRole('button', { name: 'Deploy the newest archive' }).waitFor();
    expect(await page.getByText('Fix the project').count(), 'a later one has been served').toBe(0);
  });

  it('of which nothing tells how to build it leads to what stays as it was created', async () => {
    const { deployer, page } = world();
    const application = await deployer.createFromFiles('Notes', { 'notes.txt': '' });
    const { id } = await deployer.newest(application);
    await deployer.ended(id);
    await page.goto(`/deployments/${id}`);
    await page.getByRole('alert').getByText('create the application anew with that folder (rootDirectory).').waitFor();
    await page.getByRole('link', { name: 'what it was created with' }).click();
    await page.getByText('Folder of the project').waitFor();
    expect(await page.getByText('and cannot be changed. For others, create it anew.').count()).toBe(1);
  });

  it('that was stopped says so, wherever one looks, and how to go on', async () => {
    const { deployer, page } = world();
    const application = await deployer.createFromFiles('Endless', files, {
      buildCommand: 'sleep 600',
      outputDirectory: '.',
    });
    const { id } = await deployer.newest(application);
    await until('it is built', async () => (await deployer.newest(application)).status === 'building');
    await page.goto(`/deployments/${id}`);
    await page.getByRole('button', { name: 'Cancel deployment' }).click();
    await steps.confirmDialog(page, 'Cancel deployment');
    await page
      .getByText('Nothing is served yet. Deploy it again, or upload a new version, when you are ready.')
      .waitFor();
    await page.goto(`/environments/${application.environmentId}`);
    await page.getByText('The deployment was cancelled before anything was served.').waitFor();
    await page.getByText('not live yet', { exact: true }).waitFor();
    await page.goto('/');
    const row = page.getByRole('listitem', { name: 'Endless' });
    await row.getByText('cancelled', { exact: true }).waitFor();
    expect(await row.getByText('pending').count()).toBe(0);
  });
}
