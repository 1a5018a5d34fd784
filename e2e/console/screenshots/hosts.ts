import type { Page } from 'playwright-core';
import type { Camera } from './camera.ts';
import type { World } from './world.ts';

/** Repository hosts, for the operator and for whoever links an account. Nothing is linked but what was before. */
export async function takeHosts(page: Page, camera: Camera, world: World): Promise<void> {
  await page.goto(world.hostsLink);
  await page.getByRole('form', { name: 'Set up Bitbucket' }).waitFor();
  await camera('repository-hosts-open');
  await page.goto(await world.beginLinking());
  await page.getByRole('heading', { name: /^Link bob at/ }).waitFor();
  await camera('connect-decision');
  await page.getByRole('button', { name: 'No', exact: true }).click();
  await page.getByRole('heading', { name: 'Nothing was linked' }).waitFor();
  await camera('connect-declined');
  await page.goto('/repositories');
  await page.getByText(/repositor(y is|ies are) reached/).waitFor();
  await camera('repositories-linked');
  await page.goto('/new?from=repository');
  await page.getByRole('listbox', { name: 'Repository' }).getByRole('option').first().waitFor();
  await camera('new-linked');
}
