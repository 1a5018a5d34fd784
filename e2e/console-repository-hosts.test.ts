import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { privateKey } from '../server/src/modules/vcs/settings/testing/app-settings.ts';
import type { ConnectionRig } from '../server/src/vcs/testing/connection-rig.ts';
import { startGitlabRig } from '../server/src/vcs/testing/gitlab-rig.ts';
import { startAppMaker, type AppMaker } from './app-maker.ts';
import { desktop, launchBrowser, openVisitor, phone, type Visitor } from './console-browser.ts';
import { seriousFaults } from './console-faults.ts';
import * as steps from './console-steps.ts';
import { startPlatform, until, type Platform } from './platform.ts';

const ada = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery', organisation: 'Analytical' };

let browser: Browser;
let maker: AppMaker;
let rig: ConnectionRig;
beforeAll(async () => {
  browser = await launchBrowser();
  maker = await startAppMaker(privateKey);
  rig = await startGitlabRig();
});
afterAll(async () => {
  await browser?.close();
  await maker?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
});

const overflowOf = ({ page }: Visitor) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));

describe.each([
  ['a desktop', desktop],
  ['a phone', phone],
])('repository hosts in the console on %s', (_name, viewport) => {
  let platform: Platform;
  let operator: Visitor;
  beforeAll(async () => {
    platform = await startPlatform({
      env: {
        LILAC_VCS_URL: maker.url,
        LILAC_PROVIDER2_URL: rig.url,
        LILAC_PROVIDER2_API_URL: rig.apiUrl,
        LILAC_FEATURE_FLAGS: 'provider3=off',
      },
    });
    operator = await openVisitor(browser, { url: platform.url, viewport });
  });
  afterAll(async () => {
    await operator?.context.close();
    await platform?.[Symbol.asyncDispose]();
  });

  const lilacJson = async <T>(...argv: string[]): Promise<T> => {
    const { exitCode, stdout, stderr } = await platform.lilac(...argv, '--json');
    if (exitCode !== 0) throw new Error(stdout + stderr);
    return JSON.parse(stdout) as T;
  };
  const setupLink = async () => (await lilacJson<{ url: string }>('admin', 'vcs', 'setup')).url;
  const hosts = () => lilacJson<Record<string, { configured: boolean; slug?: string }>>('admin', 'vcs', 'show');

  it('the first host makes the app, and sends the operator back with it', async () => {
    const { page } = operator;
    await page.goto(await setupLink());
    await page.getByText('switched off').waitFor();
    expect(await overflowOf(operator)).toBe(0);
    await page.getByRole('button', { name: 'Create the app' }).click();
    await page.getByRole('link', { name: 'Make it' }).click();
    await page.getByText('The app lilac-of-the-test is set up.').waitFor();
    expect(maker.manifests.at(-1)).toMatchObject({
      hook_attributes: { url: `${platform.url}/api/vcs-app/webhook` },
      redirect_url: `${platform.url}/repository-hosts`,
    });
    expect(page.url(), 'the code is gone from the address').toMatch(/\/repository-hosts#[\w-]{43}$/);
    expect(await hosts()).toMatchObject({ provider1: { configured: true, slug: 'lilac-of-the-test' } });
  });

  it('a host that sends the browser straight back does as well', async () => {
    const { page } = operator;
    const made = maker.manifests.length;
    maker.isQuick = true;
    await page.reload();
    await page.getByRole('button', { name: 'Create another app' }).click();
    await page.getByRole('button', { name: 'Create the app' }).click();
    await page.getByText('The app lilac-of-the-test is set up.').waitFor();
    maker.isQuick = false;
    expect(maker.manifests).toHaveLength(made + 1);
  });

  it('a code from elsewhere sets nothing up', async () => {
    const stranger = await openVisitor(browser, { url: platform.url, viewport });
    await stranger.page.goto('/repository-hosts?code=of-somebody&state=else');
    expect(await steps.headingOf(stranger.page)).toBe('This was not begun here');
    await stranger.context.close();
  });

  it("the second host's client is entered, and the host knows it", async () => {
    const { page } = operator;
    const form = page.getByRole('form', { name: 'Set up GitLab' });
    await form.getByLabel('Application ID').fill(rig.settings.clientId);
    await form.getByLabel('Secret').fill('mistyped');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved, but').waitFor();
    await page.reload();
    await page.getByText('has not confirmed it').waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Change' }).click();
    await form.getByLabel('Application ID').fill(rig.settings.clientId);
    await form.getByLabel('Secret').fill(rig.settings.clientSecret);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText('knows the client').waitFor();
    expect(await page.content()).not.toContain(rig.settings.clientSecret);
    expect(await lilacJson('admin', 'vcs', 'check', 'provider2')).toEqual([
      { provider: 'provider2', ok: true, found: 'knows the client' },
    ]);
  });

  it('a newer link ends the older one', async () => {
    const { page } = operator;
    const older = page.url();
    await setupLink();
    await page.goto('/sign-in');
    await page.goto(older);
    await page.getByText('lilac admin vcs setup').waitFor();
    expect(await steps.headingOf(page)).toBe('This link cannot be used');
  });

  it('what was begun in a terminal is confirmed by the person who began, signed in', async () => {
    const person = await openVisitor(browser, { url: platform.url, viewport });
    const { page } = person;
    await steps.setUp(page, platform.setupLink!, ada);
    await steps.signOut(page);
    const { token, organisationId } = await lilacJson<{ token: string; organisationId: string }>(
      'admin',
      'session',
      'create',
      '--email',
      ada.email,
    );
    const ask = (path: string) =>
      fetch(`${platform.url}/api/provider2/${path}`, { headers: { authorization: `Bearer ${token}` } });
    const begin = () => ask(`connect?organisationId=${organisationId}`);
    await until('the api has seen that the host is set up', async () => (await begin()).status === 200);
    const { url } = (await (await begin()).json()) as { url: string };
    await page.goto(await rig.signIn(url, { login: 'alice' }));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('The first time?').count()).toBe(0);
    await steps.signIn(page, ada);
    const host = `GitLab (${new URL(rig.url).host})`;
    await page.getByRole('heading', { name: `Link alice at ${host} to Analytical?` }).waitFor();
    await page.getByText('every repository that alice can reach').waitFor();
    expect(await overflowOf(person)).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Yes, link it' }).click();
    await page.getByRole('heading', { name: 'alice is linked' }).waitFor();
    const connections = (await (await ask(`organisation/${organisationId}/connections`)).json()) as object[];
    expect(connections).toMatchObject([{ accountLogin: 'alice' }]);
    expect(person.problems).toEqual([]);
    await person.context.close();
  });

  it('the policy refused nothing, and only the host was asked besides', () => {
    const strange = operator.problems.filter(
      (problem) =>
        !problem.startsWith(`request to ${maker.url}/`) &&
        !problem.startsWith(`request to ${maker.askingUrl}/`) &&
        !/ 401 .*vcs-setup\/show$/.test(problem),
    );
    expect(strange).toEqual([]);
  });
});
