import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import * as steps from './steps.ts';
import { zip } from '../deploying.ts';

const PROFILE = '**/api/auth/profile';
/** After so long the console has asked again what one may do. */
const NEXT_LOOK_MS = 30_000;

interface LostRoleWorld {
  /** Of an owner who is signed in. */
  newPage: () => Promise<Page>;
  environmentId: string;
}

interface Profile {
  organisations: object[];
}

/** A role that is taken away under one's hands, and given back. Call it within a `describe`. */
export function testLostRole(world: () => LostRoleWorld): void {
  it.each([
    {
      form: 'settings',
      path: (environmentId: string) => `/environments/${environmentId}/settings`,
      notice: 'Only owners and admins can change an environment.',
    },
    {
      form: 'a new database',
      path: () => '/databases/new',
      notice: 'Your role does not let you create databases.',
    },
    {
      form: 'a new application',
      path: () => '/new?from=zip',
      notice: 'Your role lets you look only.',
      begin: async (page: Page) => steps.chooseZip(page, 'shop.zip', await zip({ 'index.html': '<h1>Shop</h1>' })),
    },
  ])('keeps what was typed for $form: shut while it is away, and there when it is back', async (given) => {
    const page = await world().newPage();
    const role = await openAsOwner(page, given.path(world().environmentId));
    await given.begin?.(page);
    const name = page.getByRole('textbox', { name: 'Name', exact: true, includeHidden: true });
    await name.fill('half-typed');
    await role.takeAway();
    await page.getByText(given.notice).getByText('What you typed is kept below').waitFor();
    expect(await name.inputValue()).toBe('half-typed');
    expect(await name.evaluate((field) => field.closest('[inert]') !== null)).toBe(true);
    const elsewhere = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Members' });
    const question = page.getByRole('dialog', { name: /^Leave without/ });
    await elsewhere.click();
    // As the mouse does it: Playwright would wait, since it takes a modal dialog for inert with what is around it.
    await question.getByRole('button', { name: 'Stay here' }).click({ force: true });
    await question.waitFor({ state: 'hidden' });
    await role.giveBack();
    await page.getByText(given.notice).waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('half-typed');
    await name.fill('typed on');
    await elsewhere.click();
    await question.getByRole('button', { name: /^Leave/ }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await page.close();
  });

  it('leaves nothing but the notice where nothing was typed', async () => {
    const page = await world().newPage();
    const role = await openAsOwner(page, '/databases/new');
    await page.getByRole('form', { name: 'New database' }).waitFor();
    await role.takeAway();
    const notice = page.getByText('Your role does not let you create databases.');
    await notice.waitFor();
    expect(await notice.textContent()).not.toContain('kept');
    expect(await page.getByLabel('Name', { exact: true }).count()).toBe(0);
    await page.close();
  });
}

/** The role changes by the next look of the console, which is not waited for. */
async function openAsOwner(page: Page, path: string) {
  await page.clock.install();
  const answer = page.waitForResponse(PROFILE);
  await page.goto(path);
  const profile = (await (await answer).json()) as Profile;
  const organisations = profile.organisations.map((each) => ({ ...each, role: 'user' }));
  return {
    takeAway: async () => {
      await page.route(PROFILE, (route) => route.fulfill({ json: { ...profile, organisations } }));
      await page.clock.fastForward(NEXT_LOOK_MS);
    },
    giveBack: async () => {
      await page.unroute(PROFILE);
      await page.clock.fastForward(NEXT_LOOK_MS);
    },
  };
}
