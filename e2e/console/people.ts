import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Browser, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { qrCode } from '../../console/src/lib/qr-code/qr-code.ts';
import { openVisitor, type Visitor } from './browser.ts';
import { focused } from './focus.ts';
import { keepsShownOnce, keepsWhatIsMade, withdrawAll } from './shown-once.ts';
import * as steps from './steps.ts';
import type { Deployer } from '../deploying.ts';
import type { Platform } from '../platform.ts';

export interface PeopleWorld {
  browser: Browser;
  platform: Platform;
  /** A session of the owner's beside the browser. */
  deployer: Deployer;
  /** Ada, signed in. */
  owner: Visitor;
}

const password = 'a long pass phrase';
const bob = { name: 'Bob', email: 'bob@example.org' };

const tests: Record<string, (world: PeopleWorld) => Promise<void>> = {
  'a link that is shown once is asked about before it is lost, unless it was copied': (world) =>
    keepsShownOnce({ ...world, password }),
  'what is shown once is asked about while it is still being made, and comes to who stays': (world) =>
    keepsWhatIsMade({ ...world, password }),
  'the picture of a second factor holds the address that is in the link beside it': seesSecondFactor,
  'a device is shown with where it asks from, and hears that it was refused': refusesDevice,
  'an invitation that is withdrawn lets nobody in': withdrawsInvitation,
  'what is pressed twice is sent once': sendsOnce,
  'who is removed is no member any longer, and who leaves neither': losesMembers,
};

/** How people and devices come in and are kept out, by what the API says afterwards. Call it within a `describe`. */
export function testPeople(world: () => PeopleWorld): void {
  it.each(Object.entries(tests))('%s', async (_name, test) => {
    expect.hasAssertions();
    await test(world());
  });
}

async function seesSecondFactor({ owner: { page, context } }: PeopleWorld): Promise<void> {
  await page.goto('/account');
  await page.getByRole('button', { name: 'Set up' }).click();
  const form = page.getByRole('form', { name: 'Set up a second factor' });
  await form.getByLabel('Current password').fill(password);
  await form.getByRole('button', { name: 'Continue' }).click();
  const field = page.getByLabel('Secret', { exact: true });
  const secret = await steps.secretForApp(page);
  expect(await field.inputValue()).toMatch(/^(\w{4} )+\w{1,4}$/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy: Secret' }).click();
  await page.getByRole('status').getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await field.focus();
  await page.keyboard.press('Control+c');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  const address = new URL((await page.getByRole('link', { name: 'Open it directly' }).getAttribute('href'))!);
  expect(address.protocol).toBe('otpauth:');
  expect(address.searchParams.get('secret')).toBe(secret);
  expect(await drawnModules(page)).toEqual(modulesOf(address.href));
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Set up' }).waitFor();
}

/** What a code must look like: rows of dark and light, with the quiet margin that readers need. */
function modulesOf(text: string): string[] {
  const margin = '.'.repeat(4);
  const rows = qrCode(text)!.map((row) => margin + row.map((isDark) => (isDark ? '#' : '.')).join('') + margin);
  const empty = Array.from({ length: 4 }, () => '.'.repeat(rows[0]!.length));
  return [...empty, ...rows, ...empty];
}

/** What the page draws, looked at in the middle of every module. */
function drawnModules(page: Page): Promise<string[]> {
  const picture = page.getByRole('img', { name: 'QR code for the authenticator app' });
  return picture.evaluate((svg: SVGSVGElement) => {
    const { width, height } = svg.viewBox.baseVal;
    const dark = svg.querySelector('path')!;
    const isDark = (x: number, y: number) => dark.isPointInFill(new DOMPoint(x + 0.5, y + 0.5));
    return Array.from({ length: height }, (_, y) =>
      Array.from({ length: width }, (_cell, x) => (isDark(x, y) ? '#' : '.')).join(''),
    );
  });
}

async function refusesDevice({ platform, owner: { page } }: PeopleWorld): Promise<void> {
  const from = { localAddress: '127.0.0.77', userAgent: 'lilac/9.9 (the laptop in the kitchen)' };
  const ask = (path: string, body: object) => post(platform, path, { ...from, body });
  const device = await ask('/api/auth/device/code', { client_id: 'lilac-cli' });
  await page.goto('/device');
  await page.getByLabel('Code shown on the device').fill(device['user_code']!);
  await page.keyboard.press('Enter');
  await page.getByText('ada@example.org', { exact: true }).waitFor();
  expect(await factsOf(page)).toMatchObject({
    Code: device['user_code'],
    Program: 'lilac-cli',
    'Says it is': from.userAgent,
    Address: from.localAddress,
  });
  await page.getByRole('button', { name: 'Refuse' }).click();
  await page.getByRole('heading', { name: 'The device was refused' }).waitFor();
  const poll = {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: device['device_code'],
    client_id: 'lilac-cli',
  };
  expect(await ask('/api/auth/device/token', poll)).toMatchObject({ error: 'access_denied' });
}

interface Post {
  body: object;
  localAddress: string;
  userAgent: string;
}

/** As a program elsewhere does it: from an address of its own. */
async function post({ port }: Platform, path: string, { body, localAddress, userAgent }: Post) {
  const headers = { 'content-type': 'application/json', 'user-agent': userAgent, host: `localhost:${port}` };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, localAddress, method: 'POST', headers }, resolve)
      .once('error', reject)
      .end(JSON.stringify(body));
  });
  return (await json(answer)) as Record<string, string>;
}

/** Of a list of terms, what is said of each. */
async function factsOf(page: Page): Promise<Record<string, string>> {
  const [terms, facts] = await Promise.all(
    ['dt', 'dd'].map((name) => page.locator(`.facts ${name}`).allTextContents()),
  );
  return Object.fromEntries(terms!.map((term, index) => [term, facts![index]!]));
}

async function withdrawsInvitation({ browser, platform, deployer, owner: { page } }: PeopleWorld): Promise<void> {
  const open = async () => {
    const body = { targetOrganisationId: deployer.targetOrganisationId };
    return (await deployer.client.call('organisations.invitations', { body })).map(({ email }) => email);
  };
  await page.goto('/');
  const link = await steps.invite(page, 'carol@example.org');
  expect(await open()).toEqual(['carol@example.org']);
  await page.getByRole('button', { name: 'Withdraw carol@example.org' }).click();
  await steps.confirmDialog(page, 'Withdraw');
  await page.getByText('None.', { exact: true }).waitFor();
  expect(await focused(page)).toBe('Open invitations');
  expect(await open()).toEqual([]);
  const carol = await openVisitor(browser, { url: platform.url });
  await carol.page.goto(link);
  await carol.page.getByRole('heading', { name: 'This invitation cannot be used' }).waitFor();
  await carol.context.close();
}

async function sendsOnce({ deployer, owner: { page } }: PeopleWorld): Promise<void> {
  const sent: string[] = [];
  const path = /\/api\/organisations\/(?:invite|invitations\/revoke)$/;
  await page.route(path, async (route) => {
    sent.push(new URL(route.request().url()).pathname);
    // Long enough for the second press.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await page.goto('/members');
  const create = page.getByRole('button', { name: 'Create invitation' });
  for (const press of [() => create.dblclick(), () => pressTwice(page)]) {
    await page.getByLabel('E-mail').fill(`erin${sent.length}@example.org`);
    await press();
    await page.getByLabel('Link', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
  }
  expect(sent).toHaveLength(2);
  await page.getByRole('button', { name: 'Withdraw erin0@example.org' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).dblclick();
  await page.getByText('erin0@example.org', { exact: true }).waitFor({ state: 'detached' });
  expect(sent).toHaveLength(3);
  await page.unroute(path);
  await withdrawAll(deployer);
}

async function pressTwice(page: Page): Promise<void> {
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
}

/** Of Bob, who is a user. */
async function changesRole(page: Page, roleNow: () => Promise<string>): Promise<void> {
  const list = page.getByRole('combobox', { name: `Role of ${bob.email}` });
  const question = page.getByRole('dialog', { name: 'Make Bob an owner?' });
  await list.selectOption('owner');
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect([await roleNow(), await list.inputValue()]).toEqual(['user', 'user']);
  await list.selectOption('owner');
  await question.getByRole('button', { name: 'Make owner' }).click();
  await expect.poll(() => list.inputValue()).toBe('owner');
  expect(await roleNow()).toBe('owner');
  await list.selectOption('user');
  await expect.poll(roleNow).toBe('user');
}

async function losesMembers({ browser, platform, deployer, owner }: PeopleWorld): Promise<void> {
  const { client, targetOrganisationId } = deployer;
  const invite = async () =>
    (await client.call('organisations.invite', { body: { targetOrganisationId, email: bob.email } })).url;
  const members = async () =>
    (await client.call('organisations.members', { body: { targetOrganisationId } })).map(({ email }) => email);
  const guest = await openVisitor(browser, { url: platform.url });
  await guest.page.goto(await invite());
  await guest.page.getByText('with the role user: you see everything').waitFor();
  await guest.page.getByLabel('Your name').fill(bob.name);
  await guest.page.getByLabel('Password').fill(password);
  await guest.page.getByRole('button', { name: 'Create account' }).click();
  await guest.page.getByRole('heading', { name: 'Applications' }).waitFor();
  expect((await members()).toSorted()).toEqual(['ada@example.org', bob.email]);

  await owner.page.goto('/members');
  await changesRole(owner.page, async () => {
    const people = await client.call('organisations.members', { body: { targetOrganisationId } });
    return people.find(({ email }) => email === bob.email)!.role;
  });
  await owner.page.getByRole('button', { name: `Remove ${bob.email}` }).click();
  await steps.confirmDialog(owner.page, 'Remove');
  await owner.page.getByText(bob.email).waitFor({ state: 'detached' });
  expect(await focused(owner.page)).toBe('People');
  expect(await members()).toEqual(['ada@example.org']);

  await guest.page.goto(await invite());
  await guest.page.getByRole('button', { name: 'Join Acme' }).click();
  await steps.goTo(guest.page, 'Members');
  await guest.page.getByRole('button', { name: 'Leave Acme' }).click();
  await steps.confirmDialog(guest.page, 'Leave');
  await guest.page.getByText('You are in no organisation.').waitFor();
  expect(await members()).toEqual(['ada@example.org']);
  await guest.context.close();
  expect(owner.problems).toEqual([]);
}
