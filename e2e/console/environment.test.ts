import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../acknowledged-writes.ts';
import { desktop, launchBrowser, openVisitor, phone, type Visitor } from './browser.ts';
import { testConnection } from './connection.ts';
import { seriousFaults } from './faults.ts';
import { focused } from './focus.ts';
import { testIdle } from './idle.ts';
import { testLateDeployments } from './late-answers.ts';
import { testLogOrder } from './log-order.ts';
import { testMetrics } from './metrics.ts';
import * as steps from './steps.ts';
import { testTold } from './told.ts';
import { testManyVariables, testVariables } from './variables.ts';
import { type Application, createDeployer, type Deployer, visit, zip } from '../deploying.ts';
import { type Platform, startPlatform, until } from '../platform.ts';
import { talkingApp } from '../talking-app.ts';

/** The page of an environment: of a server that talks, and of a static site. */
const LINES = 1800;

let platform: Platform;
let browser: Browser;
let visitor: Visitor;
let deployer: Deployer;
let server: Application;
let site: Application;
let firstOfSite: string;

let asked = 0;
const ask = (path: string) => {
  asked++;
  return visit(server.url, path);
};
const say = (text: string) => ask(`/say?text=${encodeURIComponent(text)}`);

async function open({ environmentId }: Application, tab: string): Promise<Page> {
  await visitor.page.goto('about:blank');
  await visitor.page.goto(`/environments/${environmentId}${tab}`);
  await visitor.page.getByRole('navigation', { name: 'Parts of this page' }).waitFor();
  return visitor.page;
}

const environmentOf = ({ environmentId }: Application) =>
  deployer.client.call('environments.get', {
    body: { targetOrganisationId: deployer.targetOrganisationId, environmentId },
  });

beforeAll(async () => {
  [platform, browser] = await Promise.all([startPlatform({ env: { LILAC_RATE_LIMIT: '1000000' } }), launchBrowser()]);
  deployer = createDeployer(platform, await createAccount(platform));
  site = await deployer.createFromFiles('Site', { 'index.html': '<p>one</p>' });
  server = await deployer.createFromFiles('Talker', talkingApp(), { deploymentType: 'container' });
  for (const each of [site, server]) await deployer.healthy((await deployer.newest(each)).id);
  firstOfSite = (await deployer.newest(site)).id;
  visitor = await openVisitor(browser, { url: platform.url });
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await visitor.page.goto('/sign-in');
  await steps.signIn(visitor.page, { email: 'ada@example.org', password: 'a long pass phrase' });
  await visitor.page.getByRole('heading', { name: 'Applications' }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await platform?.[Symbol.asyncDispose]();
});

const linesOf = (page: Page) => page.getByRole('group', { name: 'Lines of the log' });

describe('the log', () => {
  testLogOrder(
    () => open(server, '/logs'),
    () => visitor.page,
  );

  it('shows a line as it is written, holds back what comes while it is paused, and counts it', async () => {
    const page = await open(server, '/logs');
    await say('good morning');
    await linesOf(page).getByText('good morning').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await say('while you were away');
    await page.getByRole('button', { name: 'Continue (1 waiting)' }).click();
    await linesOf(page).getByText('while you were away').waitFor();
    const said = await linesOf(page).locator('.log-text').allTextContents();
    expect(said.indexOf('good morning')).toBeLessThan(said.indexOf('while you were away'));
  });

  it('is filtered by severity and text, and the address keeps both', async () => {
    await say('ERROR the shop burns');
    await say('ERROR the shop floods');
    const page = await open(server, '/logs');
    await linesOf(page).getByText('floods').waitFor();
    await page.getByRole('button', { name: 'Error', exact: true }).click();
    await linesOf(page).getByText('good morning').waitFor({ state: 'detached' });
    await linesOf(page).getByText('burns').waitFor();
    await page.getByLabel('Only lines with').fill('FLOODS');
    await linesOf(page).getByText('burns').waitFor({ state: 'detached' });
    await linesOf(page).getByText('floods').waitFor();
    await page.reload();
    await linesOf(page).getByText('floods').waitFor();
    expect(await linesOf(page).locator('.log-line').count()).toBe(1);
    await page.getByLabel('Time').selectOption({ label: 'Last hour' });
    await page.getByRole('button', { name: 'No older lines' }).waitFor();
    expect(await linesOf(page).locator('.log-line').count()).toBe(1);
  });

  it('says how grave a line is not by colour alone, and copies the line as it was', async () => {
    await say('WARN the shop smokes');
    const page = await open(server, '/logs');
    const line = linesOf(page).locator('.log-line', { hasText: 'the shop smokes' });
    expect(await line.ariaSnapshot()).toMatch(/warning.*\n?.*the shop smokes/);
    expect(await linesOf(page).locator('.log-line', { hasText: 'the shop burns' }).ariaSnapshot()).toContain(' error');
    await line.evaluate((element) => getSelection()!.selectAllChildren(element));
    expect(await page.evaluate(() => getSelection()!.toString())).not.toMatch(/warning|!/);
    expect((await steps.copyBy(page, 'Copy all')).at(-1)).toMatch(/Z WARN the shop smokes$/);
  });

  it('is downloaded as it is shown, with times and severities', async () => {
    const page = await open(server, '/logs?text=the+shop');
    await linesOf(page).getByText('the shop burns').waitFor();
    await linesOf(page).getByText('the shop smokes').waitFor();
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(/^talker-production-[\dT-]+\.log$/);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.length).toBe(await linesOf(page).locator('.log-line').count());
    expect(lines.at(-1)).toMatch(/^[\d-]+T[\d:.]+Z WARN WARN the shop smokes$/);
  });

  it('is shown whole again by a click on its tab, whatever was looked for', async () => {
    const page = await open(server, '/logs?text=floods&severity=ERROR');
    await linesOf(page).getByText('floods').waitFor();
    expect(await linesOf(page).getByText('good morning').count()).toBe(0);
    const tab = page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link', { name: 'Logs' });
    await tab.click();
    await linesOf(page).getByText('good morning').waitFor();
    expect(await page.getByLabel('Only lines with').inputValue()).toBe('');
    // Were the text still waiting to be asked for, this would come after it.
    await page.getByLabel('Only lines with').fill('shop');
    await linesOf(page).getByText('good morning').waitFor({ state: 'detached' });
    await linesOf(page).getByText('burns').waitFor();
    expect(new URL(page.url()).search).toBe('?text=shop');
  });

  it('older lines come before the newest, each once and in order', async () => {
    await ask(`/chat?count=${LINES}&perSecond=4000`);
    const page = await open(server, '/logs');
    await linesOf(page).getByText(`line ${LINES} of`).waitFor();
    await until('all are there', async () => {
      if ((await page.getByRole('button', { name: 'No older lines' }).count()) > 0) return true;
      // One that is busy takes no click, and is another one afterwards.
      const more = page.locator('button:not([aria-busy])', { hasText: /^Older lines$/ });
      if ((await more.count()) > 0) await more.click({ timeout: 1000 }).catch(() => {});
      return false;
    });
    const timed = await steps.copyBy(page, 'Copy all');
    expect(timed.filter((text) => !/^[\d-]+T[\d:.]+Z /.test(text))).toEqual([]);
    const copied = timed.map((text) => text.slice(text.indexOf(' ') + 1));
    const numbers = copied.flatMap((text) => /^line (\d+) of/.exec(text)?.slice(1).map(Number) ?? []);
    expect(numbers).toEqual(Array.from({ length: LINES }, (_, index) => index + 1));
    expect(copied.indexOf('good morning')).toBeLessThan(
      copied.indexOf('line 1 of a talkative program that has a lot to say'),
    );
  });
});

describe('the connection', () => {
  // What was asked in vain.
  afterAll(() => visitor.problems.splice(0));
  testConnection(() => ({ say, open: (tab) => open(server, tab) }));
});

describe('the metrics', () => {
  testMetrics(() => ({ page: visitor.page, open: (tab) => open(server, tab), asked: () => asked }));
});

describe('the variables', () => {
  testVariables(() => ({ deployer, server, open: (tab) => open(server, tab) }));
  testManyVariables(() => ({ deployer, server, open: (tab) => open(server, tab) }));
});

describe('the settings', () => {
  it('scale at once within what the plan allows', async () => {
    const page = await open(server, '/settings');
    const form = page.getByRole('form', { name: 'Scaling' });
    await form.getByText('The plan pro allows 20.').waitFor();
    await form.getByLabel('At least').fill('4');
    await form.getByLabel('At most').fill('2');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').waitFor();
    expect(await form.getByLabel('At least').inputValue()).toBe('4');
    await form.getByLabel('At least').fill('1');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Saved').waitFor();
    expect(await environmentOf(server)).toMatchObject({ min_instances: 1, max_instances: 2 });
    await form.getByLabel('At most').fill('3');
    const asked = page.waitForRequest('**/api/environments/scale');
    await form.getByRole('button', { name: 'Save' }).click();
    expect((await asked).postDataJSON(), 'a colleague may have changed it').not.toHaveProperty('minInstances');
    await until('it is saved', async () => (await environmentOf(server)).max_instances === 3);
    // A refusal is an answer that the browser notes as an error.
    visitor.problems.splice(0);
  });

  it('that are not saved are asked about before they are lost, and what is saved is not', async () => {
    const page = await open(server, '/settings');
    const scaling = page.getByRole('form', { name: 'Scaling' });
    const build = page.getByRole('form', { name: 'Build' });
    await scaling.getByLabel('At most').fill('2');
    await build.getByLabel('Build command').fill('true');
    await scaling.getByRole('button', { name: 'Save' }).click();
    await scaling.getByText('Saved').waitFor();
    const tab = page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link', { name: 'Activity' });
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await tab.click();
    await question.getByText('What you changed under “Build” is not saved.').waitFor();
    expect(await question.getByText('“Scaling”').count()).toBe(0);
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Activity', level: 2 }).waitFor();
    expect((await environmentOf(server)).build_command).toBeNull();
  });

  it('a password is asked for from then on, until it is removed', async () => {
    const page = await open(site, '/settings');
    const form = page.getByRole('form', { name: 'Password' });
    await form.getByText('Any length works. 8 characters or more are harder to guess.').waitFor();
    await form.getByLabel('Password').fill('abc');
    await form.getByText('You can use it, but 8 characters or more are better.').waitFor();
    await form.getByLabel('Password').fill('open sesame');
    await form.getByRole('button', { name: 'Protect' }).click();
    await form.getByRole('button', { name: 'Change password' }).waitFor();
    expect((await visit(site.url)).body).not.toContain('one');
    await form.getByRole('button', { name: 'Remove the password' }).click();
    await steps.confirmDialog(page, 'Remove');
    await form.getByRole('button', { name: 'Protect' }).waitFor();
    expect((await visit(site.url)).body).toContain('one');
  });

  it('with the access log on, a request is a line', async () => {
    const page = await open(site, '/settings');
    await page.getByRole('button', { name: 'Switch on the access log' }).click();
    await page.getByText('It is on.').waitFor();
    await page.getByRole('link', { name: 'Logs', exact: true }).click();
    await visit(site.url, '/?asked');
    const line = linesOf(page).getByText('GET').first();
    await line.waitFor();
    expect(await line.textContent()).toContain('200');
  });
});

describe('a new version', () => {
  it('is uploaded from the page and served, also where its folder was zipped', async () => {
    const page = await open(site, '');
    await page.getByRole('button', { name: 'Upload a new version' }).click();
    const buffer = await zip({ 'site/index.html': '<p>two</p>', '__MACOSX/site/._index.html': 'x' });
    const file = { name: 'site.zip', mimeType: 'application/zip', buffer };
    await page.getByRole('dialog').locator('input[type=file]').first().setInputFiles(file);
    await page.waitForURL('**/deployments/*');
    await until('it is served', async () => (await visit(site.url)).body.includes('two'));
    const { id } = await deployer.newest(site);
    expect((await deployer.healthy(id)).is_live).toBe(true);
    expect(page.url()).toContain(id);
  });

  it('is asked about where a folder holds secrets, and sent without them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lilac-version-'));
    try {
      writeFileSync(join(folder, 'index.html'), '<p>two, without secrets</p>');
      writeFileSync(join(folder, 'prod.env'), 'TOKEN=x');
      const page = await open(site, '');
      await page.getByRole('button', { name: 'Upload a new version' }).click();
      await page.getByRole('dialog').locator('input[webkitdirectory]').setInputFiles(folder);
      await page.getByText('Not sent, for they hold secrets: prod.env.').waitFor();
      await page.getByRole('button', { name: 'Upload the rest' }).click();
      await page.waitForURL('**/deployments/*');
      await until('it is served', async () => (await visit(site.url)).body.includes('without secrets'));
      await deployer.healthy((await deployer.newest(site)).id);
      expect((await visit(site.url, '/prod.env')).status).toBe(404);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is asked about before Escape stops it, and what was typed beneath stays guarded', async () => {
    const { id } = await deployer.newest(site);
    const page = await open(site, '/settings');
    await page.getByLabel('Build command').fill('true');
    const held = Promise.withResolvers<void>();
    const holdFile = async (route: Route) => {
      if (route.request().method() === 'PUT') await held.promise;
      // One that was stopped meanwhile is let go by the browser.
      await route.fallback().catch(() => {});
    };
    await page.route('**', holdFile);
    await page.getByRole('button', { name: 'Upload a new version' }).click();
    const upload = page.getByRole('dialog', { name: 'Upload a new version of production' });
    const sending = page.waitForRequest((request) => request.method() === 'PUT');
    await steps.chooseZip(page, 'site.zip', await zip({ 'index.html': '<p>never</p>' }));
    await sending;
    const question = page.getByRole('dialog', { name: 'Stop the upload?' });
    await steps.pressEscapeOften(page, question);
    await question.getByText('Nothing of what was sent is kept').waitFor();
    expect(await question.getByText('not saved').count(), 'nothing else is lost by it').toBe(0);
    await question.getByRole('button', { name: 'Stay here' }).click();
    await upload.getByRole('progressbar', { name: 'Upload' }).waitFor();
    await upload.getByRole('button', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Stop it' }).click();
    await upload.waitFor({ state: 'detached' });
    held.resolve();
    await page.unroute('**', holdFile);
    expect(await page.getByLabel('Build command').inputValue()).toBe('true');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    expect((await deployer.newest(site)).id).toBe(id);
  });

  it('is the one that was dropped first, and not one that was still being read when its dialog was closed', async () => {
    const page = await open(site, '');
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
    const letRead = await steps.holdReading(page);
    const archives = Object.fromEntries(
      await Promise.all(['closed', 'first', 'second'].map(async (name) => [name, await zip({ 'index.html': name })])),
    ) as Record<'closed' | 'first' | 'second', Buffer>;
    const button = page.getByRole('button', { name: 'Upload a new version' });
    const upload = page.getByRole('dialog', { name: 'Upload a new version of production' });
    await button.click();
    await steps.dropAtOnce(page, { 'closed.zip': archives.closed });
    await page.keyboard.press('Escape');
    await upload.waitFor({ state: 'detached' });
    await button.click();
    await steps.dropAtOnce(page, { 'first.zip': archives.first, 'second.zip': archives.second });
    await upload.getByRole('alert').getByText('what you gave first is still being read').waitFor();
    await letRead();
    await page.waitForURL('**/deployments/*');
    const { id, upload_name } = await deployer.newest(site);
    expect([page.url().endsWith(id), upload_name, sent.length]).toEqual([true, 'first.zip', 1]);
    await deployer.healthy(id);
    await until('it is served', async () => (await visit(site.url)).body.includes('first'));
    await deployer.healthy(await deployer.deploy(site, { 'index.html': '<p>two</p>' }));
  });

  it('says first that it undoes a rollback, and what is served now', async () => {
    const { id } = await deployer.newest(site);
    await deployer.rollBack(site, firstOfSite);
    await until('it is served', async () => (await visit(site.url)).body.includes('one'));
    const page = await open(site, '');
    await page.getByRole('button', { name: 'Upload a new version' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It was rolled back. A new version is served instead').waitFor();
    expect(await dialog.locator('.notice').textContent()).toContain('source.zip');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await deployer.rollBack(site, id);
    await until('it is as it was', async () => (await visit(site.url)).body.includes('two'));
  });
});

describe('a deployment that begins late', () => {
  testLateDeployments(() => ({ deployer, site, open }));
});

describe('what is told', () => {
  testTold(() => ({ deployer, site, server, open }));
});

/** Longer than until the next look. One that is still held when that is over is let go by the browser. */
const slowly = async (route: Route) => {
  await delay(7000);
  await route.continue().catch(() => {});
};

describe('a page that looks for news', () => {
  testIdle(() => ({ page: visitor.page, application: server }));

  it('is shown though every answer takes longer than until the next look', async () => {
    const { page } = visitor;
    await page.goto('about:blank');
    await page.route('**/api/environments/get', slowly);
    await page.goto(`/environments/${server.environmentId}`);
    await page.getByRole('navigation', { name: 'Parts of this page' }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('production');
    await page.unroute('**/api/environments/get', slowly);
  });

  it('takes the focus from nobody when its name changes', async () => {
    const page = await open(server, '/settings');
    const field = page.getByLabel('Build command');
    await field.focus();
    await rename('renamed elsewhere');
    await steps.lookAgain(page);
    await page.getByRole('heading', { name: 'renamed elsewhere', level: 1 }).waitFor();
    await field.pressSequentially('still here');
    expect(await field.inputValue()).toBe('still here');
    await rename('production');
  });
});

async function rename(name: string): Promise<void> {
  const { targetOrganisationId } = deployer;
  const body = { targetOrganisationId, environmentId: server.environmentId, name };
  await deployer.client.call('environments.update', { body });
}

describe('deleting', () => {
  it('production goes only with its application', async () => {
    const page = await open(site, '/settings');
    await page.getByText('Production can only be deleted together with its application').waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  });

  it('another one is created by its name alone, and goes when that was typed', async () => {
    const { targetOrganisationId } = deployer;
    const { page } = visitor;
    await page.goto(`/apps/${site.id}`);
    await page.getByRole('button', { name: 'New environment' }).click();
    const form = page.getByRole('form', { name: 'New environment' });
    const name = form.getByLabel('Name', { exact: true });
    await until('one can type at once', () => name.evaluate((field) => field === document.activeElement));
    await page.keyboard.type('preview');
    expect(await name.inputValue()).toBe('preview');
    await form.getByLabel('Deploy it now').uncheck();
    await form.getByRole('button', { name: 'Create environment' }).click();
    await page.waitForURL('**/environments/*');
    await page.getByRole('heading', { name: 'preview', level: 1 }).waitFor();
    expect(await focused(page)).toBe('preview');
    await page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Delete preview' }).click();
    await page.getByRole('dialog').getByLabel('Type preview to confirm').fill('preview');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL(`**/apps/${site.id}`);
    await until('it is gone', async () => {
      const input = { body: { targetOrganisationId, applicationId: site.id } };
      return (await deployer.client.call('environments.list', input)).length === 1;
    });
    expect(visitor.problems.filter((problem) => !/404 .*\/api\/(environments|deployments)/.test(problem))).toEqual([]);
    // Whoever still asks for what is gone is told so, and the browser notes that.
    visitor.problems.splice(0);
  });
});

describe('what somebody else deletes', () => {
  it('tells whoever is typing in its settings, and leaves them where that is said', async () => {
    const page = await open(site, '/settings');
    const path = '**/api/environments/get';
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Typed');
    // As the platform says it meanwhile.
    await page.route(path, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), status: 'deleting' } });
    });
    await steps.lookAgain(page);
    await page.getByText('This environment is being deleted.').waitFor();
    expect(await focused(page)).toBe('This environment is being deleted. What you had typed is not saved.');
    await page.unroute(path);
  });
});

describe.each([
  ['a desktop', desktop],
  ['a phone', phone],
])('on %s', (_name, viewport) => {
  it.each(['', '/logs', '/metrics', '/variables', '/domain', '/activity', '/settings'])(
    'the tab at "%s" fits, and can be used by everybody',
    async (tab) => {
      await visitor.page.setViewportSize(viewport);
      const page = await open(server, tab);
      await steps.settle(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(Math.max(0, overflow)).toBe(0);
      expect(await seriousFaults(page)).toEqual([]);
    },
  );

  it('the newest line of a long log is in sight together with the filters', async () => {
    await visitor.page.setViewportSize(viewport);
    const page = await open(server, '/logs');
    await say('the very last word');
    const newest = linesOf(page).getByText('the very last word').last();
    await newest.waitFor();
    const edges = async () => {
      const [filters, line] = [await page.getByLabel('Only lines with').boundingBox(), await newest.boundingBox()];
      return { isBelowTop: filters!.y >= 0, isAboveEnd: line!.y + line!.height <= viewport.height };
    };
    await expect.poll(edges, { timeout: 20_000 }).toEqual({ isBelowTop: true, isAboveEnd: true });
    expect(await linesOf(page).evaluate((lines) => lines.scrollHeight > lines.clientHeight)).toBe(true);
  });
});

it('nothing went wrong behind the pages', () => {
  expect(visitor.problems).toEqual([]);
});
