import { generateSync } from 'otplib';
import type { Locator, Page, Route } from 'playwright-core';

/** What people do in the console, by what they see: labels, buttons and headings. */

export interface Account {
  name: string;
  email: string;
  password: string;
}

interface FirstAccount extends Account {
  organisation: string;
}

export async function setUp(page: Page, setupLink: string, account: FirstAccount): Promise<void> {
  await page.goto(setupLink);
  await page.getByLabel('Your name').fill(account.name);
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByLabel('Organisation').fill(account.organisation);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Applications' }).waitFor();
}

/** By the keyboard alone. */
export async function signIn(page: Page, { email, password }: Pick<Account, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('E-mail').waitFor();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

export async function goTo(
  page: Page,
  name: 'Applications' | 'Domains' | 'API keys' | 'Members' | 'Organisation',
): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

export async function choosePlan(page: Page, plan: string): Promise<void> {
  await goTo(page, 'Organisation');
  await page.getByRole('combobox', { name: 'Plan' }).selectOption(plan);
  await page.getByRole('button', { name: 'Change plan' }).click();
  await page.getByRole('status').getByText('Saved').waitFor();
}

export interface KeyChoices {
  role?: string;
  expires?: string;
}

/** Answers the secret. */
export async function createKey(
  page: Page,
  name: string,
  { role = 'read only (user)', expires = 'never' }: KeyChoices = {},
): Promise<string> {
  await goTo(page, 'API keys');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('combobox', { name: 'Role' }).selectOption({ label: role });
  await page.getByRole('combobox', { name: 'Expires' }).selectOption({ label: expires });
  await page.getByRole('button', { name: 'Create key' }).click();
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  return secret;
}

export interface SecondFactor {
  secret: string;
  recoveryCodes: string[];
}

export async function enrolSecondFactor(page: Page, account: Account): Promise<SecondFactor> {
  await openAccount(page, account);
  await page.getByRole('button', { name: 'Set up' }).click();
  const form = page.getByRole('form', { name: 'Set up a second factor' });
  await form.getByLabel('Current password').fill(account.password);
  await form.getByRole('button', { name: 'Continue' }).click();
  const secret = await secretForApp(page);
  await page.getByLabel('Code', { exact: true }).fill(totpCode(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  const recoveryCodes = await list.getByRole('listitem').allTextContents();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  return { secret, recoveryCodes };
}

/** Of a second factor that is being set up, without the gaps that it is shown with. */
export async function secretForApp(page: Page): Promise<string> {
  return (await page.getByLabel('Secret', { exact: true }).inputValue()).replaceAll(' ', '');
}

/** A code works once, so the next step's is used where one was used already: the platform takes a step's skew. */
export function totpCode(secret: string, { stepsAhead = 0 } = {}): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + stepsAhead * 30 });
}

export async function openAccount(page: Page, { name }: Pick<Account, 'name'>): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
}

/** Answers the link to hand over. */
export async function invite(page: Page, email: string): Promise<string> {
  await goTo(page, 'Members');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Create invitation' }).click();
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  await page.getByRole('button', { name: 'Done' }).click();
  return link;
}

/** What the page is, once it is there. */
export async function headingOf(page: Page): Promise<string | null> {
  return await page.getByRole('heading', { level: 1 }).textContent();
}

/** As who comes back to its tab does: the page looks for news at once. By itself it may not for half a minute. */
export async function lookAgain(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}

/** Waits until everything on the page has come. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => !document.querySelector('.waiting'));
}

export async function confirmDialog(page: Page, action: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

/** Answers the lines that are in the clipboard once that button is pressed; the visitor must be allowed to look. */
export async function copyBy(page: Page, button: string): Promise<string[]> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  return (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
}

/** Text from elsewhere, by the keyboard; the visitor must be allowed to use the clipboard. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
  await page.keyboard.press('Control+v');
}

/** Pages that this tab opens from now on do not ask again by themselves: what is new they can only be told. */
export async function stopRefreshing(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const begin = globalThis.setInterval as unknown as (work: () => void, everyMs: number) => number;
    const beginQuick = (work: () => void, everyMs = 0) => (everyMs < 1000 ? begin(work, everyMs) : 0);
    globalThis.setInterval = beginQuick as unknown as typeof setInterval;
  });
}

/**
 * Notes what the bars of the page that is open say from now on, until it is left. Answers what they have said so far.
 */
export async function watchProgress(page: Page): Promise<() => Promise<number[]>> {
  const seen = await page.evaluateHandle(() => {
    const values: number[] = [];
    new MutationObserver(() => {
      const value = document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow');
      if (value && values.at(-1) !== Number(value)) values.push(Number(value));
    }).observe(document, { subtree: true, childList: true, attributes: true });
    return values;
  });
  return () => seen.jsonValue();
}

/** Sends no more than so much a second. Resolves to how to undo it. */
export async function slowDownSending(page: Page, bytesPerSecond: number): Promise<() => Promise<void>> {
  const client = await page.context().newCDPSession(page);
  const anySpeed = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', { ...anySpeed, uploadThroughput: bytesPerSecond });
  return () => client.detach();
}

export async function chooseZip(page: Page, name: string, archive: Buffer): Promise<void> {
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a zip' }).click();
  await (await chosen).setFiles({ name, mimeType: 'application/zip', buffer: archive });
}

/** A zip or a folder of this machine, by the browser's own drag and drop. */
export async function dropFiles(page: Page, path: string, beside?: { x: number; y: number }): Promise<void> {
  const group = page.getByRole('group', { name: 'Files to deploy' });
  await group.scrollIntoViewIfNeeded();
  const zone = await group.boundingBox();
  const client = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  const place = beside ?? { x: zone!.x + zone!.width / 2, y: zone!.y + 8 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await client.send('Input.dispatchDragEvent', { type, ...place, data });
  }
  await client.detach();
}

/** As many zips, each by a drop of its own, before the page comes to anything else. */
export async function dropAtOnce(page: Page, archives: Record<string, Buffer>): Promise<void> {
  const zone = page.getByRole('group', { name: 'Files to deploy' });
  const given = Object.entries(archives).map(([name, archive]) => ({ name, bytes: [...archive] }));
  await zone.evaluate((element, all) => {
    for (const { name, bytes } of all) {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], name, { type: 'application/zip' }));
      element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, given);
}

/** Nothing that is dropped can be read before what this resolves to is called. */
export async function holdReading(page: Page): Promise<() => Promise<void>> {
  const held = await page.evaluateHandle(() => {
    const { promise, resolve } = Promise.withResolvers<void>();
    // oxlint-disable-next-line typescript/unbound-method
    const { arrayBuffer } = Blob.prototype;
    Blob.prototype.arrayBuffer = async function read(this: Blob) {
      await promise;
      return await arrayBuffer.call(this);
    };
    return resolve;
  });
  return () => held.evaluate((letRead) => letRead());
}

/** Nothing that is asked there is done before what this resolves to is called. */
export async function holdCalls(page: Page, path: string): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const hold = async (route: Route) => {
    await promise;
    await route.fallback();
  };
  await page.route(path, hold);
  return async () => {
    resolve();
    await page.unroute(path, hold);
  };
}

/** Opens a question by Escape again and again, by nothing but that key, and leaves it open. */
export async function pressEscapeOften(page: Page, question: Locator): Promise<void> {
  for (let times = 0; times < 3; times++) {
    await page.keyboard.press('Escape');
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
  }
  // And faster than anything can be drawn.
  for (let times = 0; times < 5; times++) await page.keyboard.press('Escape');
  await question.waitFor();
}
