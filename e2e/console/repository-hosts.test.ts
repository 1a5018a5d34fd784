import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { privateKey } from '../../server/src/modules/vcs/settings/testing/app-settings.ts';
import type { ConnectionRig } from '../../server/src/vcs/testing/connection-rig.ts';
import { startGitlabRig } from '../../server/src/vcs/testing/gitlab-rig.ts';
import { startAppMaker, type AppMaker } from '../app-maker.ts';
import { desktop, launchBrowser, openVisitor, phone, type Visitor } from './browser.ts';
import { seriousFaults } from './faults.ts';
import * as steps from './steps.ts';
import { beginLinking, gitlabSettings, vcsSetupLink } from './walk/gitlab.ts';
import { createDatabases } from '../databases.ts';
import { createDeployer, type Deployer, visit } from '../deploying.ts';
import { startPlatform, type Platform } from '../platform.ts';

const ada = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery', organisation: 'Analytical' };

let browser: Browser;
let maker: AppMaker;
let rig: ConnectionRig;
beforeAll(async () => {
  browser = await launchBrowser();
  maker = await startAppMaker(privateKey);
  rig = await startGitlabRig();
  await rig.createRepository('acme/handbook', { isPrivate: true, files: { 'index.html': '<h1>Handbook</h1>' } });
});
afterAll(async () => {
  await browser?.close();
  await maker?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
});

/** As pages name it. */
const gitlab = () => `GitLab (${new URL(rig.url).host})`;

const overflowOf = ({ page }: Visitor) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));

const tokenIn = (link: string) => new URL(link).hash.slice(1);

/** Whatever the browser keeps of this site that a script of the page could read. */
const seenByScripts = ({ page }: Visitor) =>
  page.evaluate(() => JSON.stringify([document.cookie, Object.entries(localStorage), Object.entries(sessionStorage)]));

describe.each([
  ['a desktop', desktop],
  ['a phone', phone],
])('repository hosts in the console on %s', (_name, viewport) => {
  let platform: Platform;
  let operator: Visitor;
  let person: Visitor;
  let deployer: Deployer;
  beforeAll(async () => {
    platform = await startPlatform({
      env: {
        LILAC_VCS_URL: maker.url,
        ...gitlabSettings(rig),
        LILAC_FEATURE_FLAGS: 'provider3=off,data_explorer=off,database_dump=off',
      },
    });
    operator = await openVisitor(browser, { url: platform.url, viewport });
    person = await openVisitor(browser, { url: platform.url, viewport });
  });
  afterAll(async () => {
    await operator?.context.close();
    await person?.context.close();
    await platform?.[Symbol.asyncDispose]();
  });

  const lilacJson = async <T>(...argv: string[]): Promise<T> => {
    const { exitCode, stdout, stderr } = await platform.lilac(...argv, '--json');
    if (exitCode !== 0) throw new Error(stdout + stderr);
    return JSON.parse(stdout) as T;
  };
  const journeyCookie = async () =>
    (await operator.context.cookies()).find(({ name }) => name.startsWith(`__Host-lc_vcs_setup_${platform.port}.`));
  const hosts = () => lilacJson<Record<string, { configured: boolean; slug?: string }>>('admin', 'vcs', 'show');

  it('the first host makes the app, and sends the operator back with it', async () => {
    const { page } = operator;
    await page.goto(await vcsSetupLink(platform));
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
    expect(await seenByScripts(operator)).not.toContain(tokenIn(page.url()));
    expect(await journeyCookie()).toBeUndefined();
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

  it('a journey that is given up leaves the token in no storage, and a cookie of minutes', async () => {
    const { page } = operator;
    const link = page.url();
    await page.getByRole('button', { name: 'Create another app' }).click();
    await page.getByRole('button', { name: 'Create the app' }).click();
    const way = await page.getByRole('link', { name: 'Make it' }).getAttribute('href');
    await page.goto('/sign-in');
    expect(await steps.headingOf(page)).toBe('Sign in');
    expect(await seenByScripts(operator)).not.toContain(tokenIn(link));
    const cookie = await journeyCookie();
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict' });
    expect(cookie!.expires).toBeLessThanOrEqual(Date.now() / 1000 + 15 * 60);

    await operator.context.clearCookies();
    await page.goto(way!);
    await page.getByText('more than 15 minutes later').waitFor();
    expect(await steps.headingOf(page)).toBe('This was not begun here');
    await page.goto(link);
    await page.getByRole('button', { name: 'Create another app' }).waitFor();
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
    const newer = await vcsSetupLink(platform);
    await page.goto('/sign-in');
    await page.goto(older);
    await page.getByText('lilac admin vcs setup').waitFor();
    expect(await steps.headingOf(page)).toBe('This link cannot be used');
    // Pasted over it, which loads nothing.
    await page.goto(newer);
    await page.getByRole('heading', { name: 'Repository hosts' }).waitFor();
  });

  it('what was begun in a terminal is confirmed by the person who began, signed in', async () => {
    const { page } = person;
    await steps.setUp(page, platform.setupLink!, ada);
    await steps.signOut(page);
    const account = await lilacJson<{ token: string; organisationId: string }>(
      'admin',
      'session',
      'create',
      '--email',
      ada.email,
    );
    deployer = createDeployer(platform, account);
    await page.goto(await beginLinking({ platform, rig, account, login: 'alice' }));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('the first time here?').count()).toBe(0);
    await steps.signIn(page, ada);
    await page.getByRole('heading', { name: `Link alice at ${gitlab()} to Analytical?` }).waitFor();
    await page.getByText('every repository that alice can reach').waitFor();
    expect(await overflowOf(person)).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Yes, link it' }).click();
    await page.getByRole('heading', { name: 'alice is linked' }).waitFor();
    const { client, targetOrganisationId: orgId } = deployer;
    expect(await client.call('provider2.connections', { params: { orgId } })).toMatchObject([
      { accountLogin: 'alice' },
    ]);
  });

  it('an account that the host no longer takes is connected again from where it is missed', async () => {
    const { page } = person;
    await rig.takeBack('alice');
    await page.goto('/new?from=repository');
    await page.getByRole('button', { name: gitlab() }).click();
    await page.getByText('Connect again under Repositories.').waitFor();
    await page.getByRole('alert').getByRole('link', { name: 'Repositories' }).click();
    await page.getByText('not taken any more').waitFor();
    await person.context.route(`${rig.url}/**`, (route) =>
      route.continue({ headers: { ...route.request().headers(), 'x-rig-login': 'alice' } }),
    );
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Connect again: alice' }).click();
    await page.getByText('alice is linked.').waitFor();
    await (await opened).close();
    await person.context.unrouteAll();
    await page.getByText('not taken any more').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: /^Connect again/ }).count()).toBe(0);
  });

  it('one of its repositories is deployed, and the log read as it comes', async () => {
    const { page } = person;
    await page.goto('/new?from=repository');
    await page.getByRole('button', { name: gitlab() }).click();
    await page.getByRole('combobox', { name: 'Repository' }).fill('handb');
    await page.keyboard.press('Enter');
    await page.getByText('Found: plain files.').waitFor();
    const lines = page.getByRole('group', { name: 'Lines of the build log' });
    // Until the page is there nothing is built: what it shows then, it was told while it was open.
    await whileNothingIsBuilt(async () => {
      await page.getByRole('button', { name: 'Create and deploy' }).click();
      await page.waitForURL('**/deployments/*');
      await lines.waitFor();
      expect(await lines.getByText('==> Live at').count()).toBe(0);
    });
    await lines.getByText('==> Live at').waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    expect(await overflowOf(person)).toBe(0);
    const [, deploymentId] = /\/deployments\/(\w+)$/.exec(page.url())!;
    const { targetOrganisationId } = deployer;
    const { environment_id: environmentId } = await deployer.healthy(deploymentId!);
    const { url } = await deployer.client.call('environments.get', { body: { targetOrganisationId, environmentId } });
    expect((await visit(url)).body).toContain('Handbook');
  });

  async function whileNothingIsBuilt(act: () => Promise<void>): Promise<void> {
    const workers = platform.pids().worker!;
    for (const pid of workers) process.kill(pid, 'SIGSTOP');
    try {
      await act();
    } finally {
      for (const pid of workers) process.kill(pid, 'SIGCONT');
    }
  }

  // Whatever the width.
  it.each(viewport === desktop ? ['what is switched off'] : [])('%s is not shown', async () => {
    const { page } = person;
    await page.goto('/repositories');
    await page.getByRole('heading', { name: gitlab() }).waitFor();
    await page.goto('/new?from=repository');
    await page.getByRole('button', { name: gitlab() }).waitFor();
    expect(await page.getByText('Bitbucket').count()).toBe(0);
    const databases = createDatabases(deployer);
    const databaseId = await databases.create('orders');
    await page.goto(`/databases/${databaseId}/query`);
    await page.getByText('The data explorer is switched off').waitFor();
    const tabs = page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link');
    expect(await tabs.allTextContents()).toEqual(['Overview', 'Backups', 'Settings']);
    const flags = page.waitForResponse('**/api/config/feature-flags');
    await page.goto(`/databases/${databaseId}/backups`);
    await (await flags).finished();
    await page.getByText('None yet.').waitFor();
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Backups']);
    await databases.settled(databaseId);
  });

  it('nothing went wrong behind the pages', () => {
    const strange = person.problems.filter(
      (problem) => !problem.startsWith(`request to ${rig.url}/`) && !/ 409 .*\/repositories$/.test(problem),
    );
    expect(strange).toEqual([]);
  });

  it('the policy refused nothing, and only the host was asked besides', () => {
    const strange = operator.problems.filter(
      (problem) =>
        !problem.startsWith(`request to ${maker.url}/`) &&
        !problem.startsWith(`request to ${maker.askingUrl}/`) &&
        !/ 401 .*vcs-setup\/(show|resume)$/.test(problem),
    );
    expect(strange).toEqual([]);
  });
});
