import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../server/src/lib/exec.ts';
import { desktop, launchBrowser, openVisitor, phone, type Visitor } from './browser.ts';
import { standInForDomains } from './domains-stand-in.ts';
import { seriousFaults } from './faults.ts';
import { focused } from './focus.ts';
import * as steps from './steps.ts';
import { visit, type Application } from '../deploying.ts';
import { askSecurely, openDomainsWorld, publish, recordsFor, servedSerial, type DomainsWorld } from '../domains.ts';
import { until } from '../platform.ts';

const ada = { email: 'ada@example.org', password: 'a long pass phrase' };

/** How people see a domain through: with a real DNS server and a real authority, in the console and in a terminal. */
let browser: Browser;
let world: DomainsWorld;
beforeAll(async () => {
  browser = await launchBrowser();
  // The console at an address that needs no DNS; what is below the domain of applications is as it is elsewhere.
  world = await openDomainsWorld({ env: { LILAC_PUBLIC_URL: '' } });
});
afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

const turnsOf = (step: Element) => getComputedStyle(step, '::before').animationName;
const overflowOf = (page: Page) => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));

describe.each([
  ['a desktop', 'desktop', desktop],
  ['a phone', 'phone', phone],
])('domains in the console on %s', (_name, device, viewport) => {
  const domain = `www.${device}.test`;
  let application: Application;
  let owner: Visitor;
  let page: Page;
  let production: Locator;
  beforeAll(async () => {
    application = await publish(world, `Shop ${device}`);
    owner = await openVisitor(browser, { url: world.platform.url, viewport });
    page = owner.page;
    await page.goto('/sign-in');
    await steps.signIn(page, ada);
    await page.getByRole('heading', { name: 'Applications' }).waitFor();
    production = page
      .getByRole('list', { name: `Environments of Shop ${device}` })
      .getByRole('listitem', { name: 'production' });
  });
  afterAll(() => owner?.context.close());

  const step = (title: string) => production.getByRole('list', { name: /^Steps of/ }).getByText(title, { exact: true });
  const badge = (words: string) => production.locator('.badge', { hasText: words });

  it('a domain is added, and its record is shown to be copied', async () => {
    await steps.goTo(page, 'Domains');
    await production.getByRole('button', { name: 'Add a domain to production' }).click();
    await production.getByRole('textbox', { name: 'Domain' }).fill('not a domain');
    await page.keyboard.press('Enter');
    await production.getByRole('alert').getByText('The domain must be a host name').waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Applications' }).click();
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leaving.getByText('The domain not a domain is not added yet.').waitFor();
    await leaving.getByRole('button', { name: 'Stay here' }).click();
    expect(await production.getByRole('textbox', { name: 'Domain' }).inputValue()).toBe('not a domain');
    await production.getByRole('textbox', { name: 'Domain' }).fill(`https://${domain.toUpperCase()}./a/page?of=it`);
    await page.keyboard.press('Enter');
    await step('Record missing').waitFor();
    expect(await step('Record missing').evaluate(turnsOf), 'somebody has to create it first').toBe('none');
    await production.getByText('looks again every few seconds').waitFor();
    await production.getByRole('button', { name: `Look again now: ${domain}` }).click();
    await production.getByText('Looked just now').waitFor();
    const record = production.getByRole('listitem', { name: 'CNAME record' });
    expect(await record.getByLabel('Name', { exact: true }).inputValue()).toBe(domain);
    expect(await record.getByLabel('Value', { exact: true }).inputValue()).toBe(new URL(application.url).hostname);
    await record.getByRole('button', { name: 'Copy: Value' }).click();
    await record.getByRole('button', { name: 'Copied: Value' }).waitFor();
    await production.getByText(`was found at ${domain}`).waitFor();
    expect(await overflowOf(page)).toBe(0);
    const [change, remove] = await Promise.all(
      ['Change', 'Remove'].map((name) => production.getByRole('button', { name: `${name} ${domain}` }).boundingBox()),
    );
    expect(remove!.x - change!.x - change!.width, 'room for the ring of what has the focus').toBeGreaterThanOrEqual(4);
  });

  it('the activity of the environment names the domain', async () => {
    const { environmentId } = application;
    const visitor = await owner.context.newPage();
    await visitor.goto(`/environments/${environmentId}/activity`);
    const entries = visitor.getByRole('list', { name: 'Activity' }).getByRole('listitem');
    const entry = entries.filter({ hasText: 'Custom domain updated' });
    expect(await entry.getByRole('link', { name: domain }).getAttribute('href')).toBe(
      `/environments/${environmentId}/domain`,
    );
    await visitor.close();
  });

  it('the page tells by itself when the record is found and the certificate there', async () => {
    await world.dns.add(...recordsFor(application, domain));
    await step('Record found').waitFor({ timeout: 30_000 });
    await step('Certificate issued').waitFor({ timeout: 30_000 });
    await badge('served').waitFor();
    expect(await production.getByRole('link', { name: domain }).getAttribute('href')).toBe(
      `http://${domain}:${world.platform.port}`,
    );
    expect((await askSecurely(world, domain)).body).toContain(`Shop ${device}`);
    expect(await production.getByRole('button', { name: /^Try again/ }).count()).toBe(0);
  });

  it('what is below a domain stays where it is while its state is on its way', async () => {
    const path = '**/api/environments/check-domain';
    const { promise: asked, resolve: answer } = Promise.withResolvers<void>();
    await page.route(path, async (route) => {
      await asked;
      await route.continue();
    });
    await page.reload();
    await production.getByText('Checking…').waitFor();
    const before = (await production.boundingBox())!.height;
    answer();
    await badge('served').waitFor();
    expect(Math.abs((await production.boundingBox())!.height - before)).toBeLessThan(10);
    await page.unroute(path);
  });

  it('a record that is gone is told, and so is that it is back', async () => {
    await world.dns.remove(({ type, name }) => type === 'CNAME' && name === domain);
    await until('the page says so', async () => {
      await page.reload();
      await production.locator('.badge').waitFor();
      return (await badge('leads elsewhere').count()) > 0;
    });
    await step('Record no longer leads here').waitFor();
    const overview = await owner.context.newPage();
    await overview.goto(`/environments/${application.environmentId}`);
    await overview.getByText('It is live, but its domain needs attention').waitFor();
    const fact = overview.getByRole('definition').filter({ hasText: domain });
    await fact.locator('.badge', { hasText: 'leads elsewhere' }).waitFor();
    await fact.getByRole('link', { name: 'What to do' }).click();
    await overview.waitForURL(`**/environments/${application.environmentId}/domain`);
    await overview.close();
    expect((await askSecurely(world, domain)).status, 'whoever still comes is served').toBe(200);
    await world.dns.add(...recordsFor(application, domain).slice(1));
    await badge('served').waitFor({ timeout: 30_000 });
  });

  it('what the authority cannot do is told, and can be tried again', async () => {
    const wildcard = `*.wild.${device}.test`;
    await production.getByRole('button', { name: `Change ${domain}` }).click();
    await production.getByRole('textbox', { name: 'New domain' }).fill(wildcard);
    await page.keyboard.press('Enter');
    const record = production.getByRole('listitem', { name: 'TXT record' });
    const text = {
      type: 'TXT' as const,
      name: await record.getByLabel('Name', { exact: true }).inputValue(),
      value: await record.getByLabel('Value', { exact: true }).inputValue(),
    };
    expect(await focused(page)).toBe(`Change ${wildcard}`);
    expect(await servedSerial(world, domain), 'the old one has stopped').toBe(null);
    await world.dns.add({ type: 'A', name: wildcard, value: '127.0.0.1' }, text);
    await step('Certificate failed').waitFor({ timeout: 30_000 });
    await production.getByText('LILAC_DNS_HOOK').waitFor();
    const tried = page.waitForResponse('**/api/environments/retry-domain');
    await production.getByRole('button', { name: `Try again now: ${wildcard}` }).click();
    expect((await tried).status()).toBe(200);
    expect(await overflowOf(page)).toBe(0);
  });

  it('is said wherever one is', async () => {
    await steps.goTo(page, 'Applications');
    const notice = page.getByRole('complementary', { name: 'Domains' });
    await until('it is said', async () => {
      await steps.lookAgain(page);
      return await notice.getByText(`Shop ${device} / production`).isVisible();
    });
    await notice.getByRole('link').click();
    await badge('certificate failed').waitFor();
    expect(await notice.count(), 'the page itself says it').toBe(0);
  });

  it('a domain is removed, and the generated address with it, until somebody wants it back', async () => {
    await production.getByRole('button', { name: 'Remove *.wild' }).click();
    await page.getByRole('dialog').getByRole('checkbox').uncheck();
    await steps.confirmDialog(page, 'Remove');
    await production.getByText('at no address').waitFor();
    expect(await focused(page)).toBe('Add a domain to production');
    expect(await overflowOf(page)).toBe(0);
    expect((await visit(application.url)).status).toBe(404);
    await production.getByRole('button', { name: 'Switch the generated address on again' }).click();
    await production.getByText('at no address').waitFor({ state: 'detached' });
    expect((await visit(application.url)).status).toBe(200);
    expect(await focused(page)).toBe('Add a domain to production');
    await steps.goTo(page, 'Applications');
    await steps.settle(page);
    expect(await page.getByText(`Shop ${device} / production`).count()).toBe(0);
  });

  it('every state of a domain fits the width, and can be used by everybody', async () => {
    const undo = await standInForDomains(page);
    await steps.goTo(page, 'Domains');
    await page.getByText('served, needs attention').waitFor();
    const unaddressed = page
      .getByRole('list', { name: 'Environments of shop' })
      .getByRole('listitem', { name: 'preview' });
    await unaddressed.locator('.badge', { hasText: 'no address to point at' }).waitFor();
    await unaddressed.getByText('Meanwhile it is reached at preview-shop.apps.example.net.').waitFor();
    expect(await unaddressed.getByText('record missing').count(), 'there is none to create').toBe(0);
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await overflowOf(page)).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    await undo();
  });

  it('nothing went wrong behind the pages, but for the name that was refused', () => {
    expect(owner.problems.filter((problem) => !/status of 400 .*\/add-domain$/.test(problem))).toEqual([]);
  });
});

describe('domains in a terminal', () => {
  it('lilac domains add sees it through', async () => {
    const application = await publish(world, 'Terminal');
    const domain = 'www.terminal.test';
    const lilac = (...argv: string[]) =>
      run([process.execPath, join(import.meta.dirname, '..', '..', 'cli', 'bin', 'lilac.mjs'), 'domains', ...argv], {
        env: { ...process.env, LILAC_API_URL: world.platform.url, LILAC_TOKEN: world.account.token, LANG: 'C.UTF-8' },
        timeoutMs: 90_000,
      });
    const added = lilac('add', domain, application.id);
    await until('it is added', async () => {
      const { stdout } = await lilac('check', application.environmentId);
      return stdout.includes('… Record missing');
    });
    await world.dns.add(...recordsFor(application, domain));
    const { exitCode, stdout } = await added;
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringMatching(
        /CNAME {2}www\.terminal\.test .*… Record missing.*✓ Record found\n✓ Certificate ordered\n.*✓ Certificate issued\n\nhttp:\/\/www\.terminal\.test:\d+ is served\.\n$/s,
      ),
    ]);
    expect((await lilac('remove', application.id, '--yes')).stdout).toContain('generated address');
    expect(await servedSerial(world, domain)).toBe(null);
  });
});
