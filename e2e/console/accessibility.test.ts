import { consolePaths } from '../../contract/src/console-paths.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { desktop, launchBrowser, openVisitor, phone, type Visitor } from './browser.ts';
import { seriousFaults } from './faults.ts';
import * as steps from './steps.ts';
import { openAndLeave, walkFaults } from './walk.ts';
import { beginLinking } from './walk/gitlab.ts';
import { invited, longName, openWalkWorld, type WalkWorld } from './walk/world.ts';

/**
 * Every page with something on it, wide and narrow, light and dark, by the eye and by the keyboard; and the names on
 * it as long as they may be.
 */
const ada = { name: 'Ada', email: 'ada@example.org', password: 'a long pass phrase' };
let world: WalkWorld;
let browser: Browser;
let visitor: Visitor;
let setupFaults: string[];
beforeAll(async () => {
  browser = await launchBrowser();
  world = await openWalkWorld(async ({ url, setupLink }) => {
    setupFaults = await asStranger(url, async (page) => {
      await page.goto(setupLink!);
      await page.getByRole('heading', { name: 'Welcome to Lilac' }).waitFor();
      return await faultsOf(page);
    });
  });
  visitor = await openVisitor(browser, { url: world.platform.url });
  await visitor.page.goto('/sign-in');
  await steps.signIn(visitor.page, ada);
  await visitor.page.getByRole('heading', { name: 'Applications' }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

async function asStranger<T>(url: string, look: (page: Page) => Promise<T>): Promise<T> {
  const { page, context } = await openVisitor(browser, { url });
  const seen = await look(page);
  await context.close();
  return seen;
}

const addressOf = (path: string) => path.replace(/\/:(\w+)/g, (_, name: string) => `/${world.ids[name]}`);

async function open(path: string): Promise<Page> {
  const { page } = visitor;
  await page.goto(addressOf(path));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await steps.settle(page);
  return page;
}

/** In both themes and both widths, without loading it anew: what differs is how it is drawn. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const [width, viewport] of [
    ['wide', desktop],
    ['narrow', phone],
  ] as const) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // Of what was looked at in light, the dark changes the colours alone.
      const onlyRules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
      faults.push(...(await seriousFaults(page, onlyRules)).map((fault) => `${width}, ${colorScheme}: ${fault}`));
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (overflow > 0) faults.push(`${width}: ${overflow} pixels wider than the window`);
    faults.push(...(await walkFaults(page)).map((fault) => `${width}: ${fault}`));
  }
  return faults;
}

describe('nothing keeps anybody from using a page of the console', () => {
  it.each(consolePaths.filter((path) => path !== '/sign-in'))('%s', async (path) => {
    expect(await faultsOf(await open(path))).toEqual([]);
  });

  it('the search and the list of keys', async () => {
    const page = await open('/');
    const search = page.getByRole('button', { name: 'Search' });
    const lookAtSearch = async () => {
      await page.getByRole('dialog').getByRole('option').first().waitFor();
      return faultsOf(page);
    };
    expect(await openAndLeave(page, search, lookAtSearch)).toEqual([]);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('signing in', async () => {
    await asStranger(world.platform.url, async (page) => {
      await page.goto('/sign-in');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
    });
  });

  it('and what would is told', async () => {
    const page = await open('/');
    await page.setViewportSize(desktop);
    const link = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
    // Without its address only a mouse follows it.
    await link('Databases').evaluate((each) => each.removeAttribute('href'));
    await link('Domains').evaluate((each) => each.style.setProperty('outline', 'none'));
    await link('Members').evaluate((each) => each.style.setProperty('order', '-1'));
    expect(await walkFaults(page)).toEqual([
      expect.stringMatching(/^not reached by Tab: .*"Databases"$/),
      expect.stringMatching(/^no sign that it has the focus: .*"Domains"$/),
      expect.stringMatching(/^comes after what stands below it: .*"Members"$/),
    ]);
    await page.evaluate(() => {
      const trap = document.body.appendChild(document.createElement('textarea'));
      trap.addEventListener('keydown', (event) => event.preventDefault());
    });
    expect(await walkFaults(page)).toContainEqual(expect.stringMatching(/^does not let the focus go: textarea/));
  });
});

describe('nor of what a link leads to', () => {
  it('the first account', () => expect(setupFaults).toEqual([]));

  it('the same link, for whoever has an account already', async () => {
    const { page } = visitor;
    await page.goto(world.platform.setupLink!);
    await page.getByRole('heading', { name: 'Lilac is set up already' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('an invitation', async () => {
    await asStranger(world.platform.url, async (page) => {
      await page.goto(world.invitation);
      await page.getByRole('heading', { name: 'You are invited' }).waitFor();
      expect(await faultsOf(page)).toEqual([]);
    });
  });

  it('the hosts of repositories, for the operator', async () => {
    const page = await open(world.hostsLink);
    await page.getByRole('form', { name: 'Set up Bitbucket' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('an account of a host, from the question to its repositories', async () => {
    const page = await open(await beginLinking({ ...world, login: 'alice' }));
    await page.getByRole('heading', { name: /^Link alice at GitLab/ }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Yes, link it' }).click();
    await page.getByRole('heading', { name: 'alice is linked' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await open('/repositories');
    await page.getByText('1 repository is reached.').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await open('/new?from=repository');
    await page.getByRole('option', { name: /^acme\/shop/ }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it.each([
    ['Approve', 'The device is connected'],
    ['Refuse', 'The device was refused'],
  ])('a device that asks: %s', async (button, heading) => {
    const { page } = visitor;
    const device = await askAsDevice();
    await page.goto(device.verification_uri_complete);
    await page.getByLabel('Code shown on the device').fill(device.user_code);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: button, disabled: false }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: button }).press('Enter');
    await page.getByRole('heading', { name: heading }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });
});

async function askAsDevice(): Promise<{ verification_uri_complete: string; user_code: string }> {
  const response = await fetch(`${world.platform.url}/api/auth/device/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': longName('lilac-cli/0.1.0 ') },
    body: JSON.stringify({ client_id: 'lilac-cli' }),
  });
  return (await response.json()) as { verification_uri_complete: string; user_code: string };
}

/** Each is opened by pressing what has that name. */
const dialogs: [path: string, button: string | RegExp][] = [
  ['/members', `Withdraw ${invited}`],
  ['/databases/:databaseId/settings', /^Delete orders/],
  ['/apps/:applicationId', 'New environment'],
  ['/environments/:environmentId', 'Upload a new version'],
  ['/databases/:databaseId/data', 'Edit row 1'],
  ['/databases/:databaseId/backups', /^Restore the backup/],
];

describe('nor what a page asks', () => {
  it.each(dialogs)('%s: %s', async (path, name) => {
    const page = await open(path);
    const button = page.getByRole('button', { name, exact: true });
    expect(await openAndLeave(page, button, () => faultsOf(page))).toEqual([]);
  });

  it('variables that were pasted, and what saving them would change', async () => {
    const page = await open('/environments/:environmentId/variables');
    await page.getByRole('button', { name: 'Add a variable' }).click();
    await page.getByLabel(/^Name of/).evaluate(
      (field, text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      `GREETING=hello\n${longName('L').toUpperCase()}=${longName('value')}`,
    );
    const review = page.getByRole('button', { name: 'Review 2 changes' });
    const lookAtValues = async () => {
      await page.getByRole('button', { name: 'Show values' }).click();
      return faultsOf(page);
    };
    expect(await openAndLeave(page, review, lookAtValues)).toEqual([]);
  });
});

describe('nor what is shown only once', () => {
  it('the secret of a key', async () => {
    const page = await open('/keys');
    await page.getByRole('textbox', { name: 'Name' }).fill(longName('bot'));
    await page.getByRole('button', { name: 'Create key' }).press('Enter');
    await page.getByLabel('Secret', { exact: true }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('the code to scan of a second factor, and the codes for when it is lost', async () => {
    const page = await open('/account');
    await page.getByRole('button', { name: 'Set up' }).press('Enter');
    const form = page.getByRole('form', { name: 'Set up a second factor' });
    await form.getByLabel('Current password').fill(ada.password);
    await page.keyboard.press('Enter');
    const secret = await steps.secretForApp(page);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel('Code', { exact: true }).fill(steps.totpCode(secret));
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });
});
