import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import * as steps from './steps.ts';
import { type Application, type Deployer, visit } from '../deploying.ts';
import { type Platform, until } from '../platform.ts';

export interface RollbackWorld {
  platform: Platform;
  deployer: Deployer;
  /** Serves “Say a lot”; “Take a while” was stopped since. */
  application: Application;
  page: Page;
  /** The deployment to go back to. */
  first: string;
}

/** Going back to an earlier deployment. Call it within a `describe`. */
export function testRollback(world: () => RollbackWorld): void {
  it('says what is served until it is ready, and of one that was stopped not that it was served again', async () => {
    const { platform, application, page, first } = world();
    const worker = platform.pids()['worker']!;
    for (const pid of worker) process.kill(pid, 'SIGSTOP');
    try {
      await page.goto(`/deployments/${first}`);
      await page.getByRole('button', { name: /^Roll back to/ }).click();
      await steps.confirmDialog(page, 'Roll back');
      await page.getByRole('region', { name: 'Being served again' }).waitFor();
      await page.goto(`/environments/${application.environmentId}`);
      await page.getByText('Going back', { exact: true }).waitFor();
      await page.getByText('until it is ready, “Say a lot” is served.').waitFor();
      await page.getByText('It goes back to an earlier deployment').waitFor();
      await page.goto(`/deployments/${first}`);
      await page.getByRole('button', { name: 'Cancel deployment' }).click();
      await steps.confirmDialog(page, 'Cancel deployment');
      const stopped = page.getByRole('region', { name: 'Serving it again was cancelled' });
      await stopped.waitFor();
      expect(await stopped.locator('.stage').allTextContents()).toEqual([expect.stringContaining('Route: cancelled')]);
      await page.getByText('was live', { exact: true }).waitFor();
      await page
        .getByRole('group', { name: 'Lines of the build log' })
        .getByText('==> Stopped: Cancelled by')
        .waitFor();
      expect((await visit(application.url)).body).toContain('long');
    } finally {
      for (const pid of worker) process.kill(pid, 'SIGCONT');
    }
  });

  it('names what is served now and then, and follows the release', async () => {
    const { deployer, application, page, first } = world();
    await page.goto(`/deployments/${first}`);
    await page.getByRole('button', { name: /^Roll back to/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Say a lot').waitFor();
    const { commit_sha: sha } = await deployer.ended(first);
    await dialog.getByText(sha!.slice(0, 7)).waitFor();
    await dialog.getByText('It has the variables it was built with').waitFor();
    await steps.confirmDialog(page, 'Roll back');
    await page.getByText('live', { exact: true }).waitFor();
    await until('it is served', async () => (await visit(application.url)).body.includes('first'));
    expect(await page.getByRole('link', { name: 'Open' }).getAttribute('href')).toBe(application.url);
    expect(await page.getByRole('button', { name: /^Roll back/ }).count()).toBe(0);
    const build = page.getByRole('region', { name: 'Stages' });
    await page.getByRole('region', { name: 'Served again' }).getByText('Released').waitFor();
    const queue = build.getByText('Queue');
    expect(await queue.isVisible()).toBe(false);
    await build.getByText('Build and first release').click();
    await queue.waitFor();
  });

  it('is told wherever the environment is shown, and the newer one is offered again', async () => {
    const { application, page } = world();
    await page.goto(`/environments/${application.environmentId}`);
    await page.getByText('Rolled back', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Serve this one Say a lot' }).waitFor();
    await page.goto('/');
    const row = page.getByRole('listitem', { name: 'Shop', exact: true });
    await row.getByText('rolled back', { exact: true }).waitFor();
    expect(await row.locator('.served-name').textContent()).not.toBe('Say a lot');
    await row.getByText('Cancelled since: Take a while').waitFor();
  });

  it('is told by the activity with the deployment that it went back to, and leads there', async () => {
    const { deployer, application, page, first } = world();
    const { commit_sha: sha } = await deployer.ended(first);
    const entries = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
    const entry = entries.filter({ hasText: 'Deployment rolled back' }).first();
    await page.goto('/activity');
    const inAll = entry.getByRole('link', { name: 'a deployment', exact: true });
    expect(await inAll.getAttribute('href')).toBe(`/deployments/${first}`);
    await page.goto(`/environments/${application.environmentId}/activity`);
    await entry.getByRole('link', { name: sha!.slice(0, 7) }).click();
    await page.waitForURL(`**/deployments/${first}`);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  });

  it('is not undone by who did not mean it: a deployment says first what it would serve instead', async () => {
    const { deployer, application, page } = world();
    const newest = (await deployer.newest(application)).id;
    await page.goto(`/environments/${application.environmentId}/variables`);
    await page.getByText('Rolled back', { exact: true }).waitFor();
    await page.getByText('The live deployment keeps the ones it was built with').waitFor();
    await page.getByRole('button', { name: /^Add/ }).click();
    await page.getByLabel(/^Name of/).fill('GREETING');
    await page.getByRole('button', { name: 'Review 1 change' }).click();
    const review = page.getByRole('dialog', { name: 'Save these changes?' });
    await review.getByText('the head of main would be served instead of').waitFor();
    expect(await review.getByLabel('Deploy right after saving').isChecked()).toBe(false);
    await review.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved. They apply on the next build.').waitFor();
    await page.getByRole('button', { name: 'Deploy production' }).click();
    const question = page.getByRole('dialog', { name: 'Undo the rollback of production?' });
    await question.getByText('the head of main, built anew').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect((await deployer.newest(application)).id).toBe(newest);
  });
}
