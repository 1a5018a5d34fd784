import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { desktop, launchBrowser, openVisitor, phone, type Visitor } from './browser.ts';
import { seriousFaults } from './faults.ts';
import { focused } from './focus.ts';
import * as steps from './steps.ts';
import { visit, zip } from '../deploying.ts';
import { openHostsWorld, type HostsWorld } from '../repository-hosts.ts';
import { talkingApp } from '../talking-app.ts';

/** From nothing to a live address, by the console alone: a sample, files, repositories of linked accounts. */
const ada = { email: 'ada@example.org', password: 'a long pass phrase' };
const page = (words: string) => `<!doctype html><title>Site</title><h1>${words}</h1>`;

let world: HostsWorld;
let browser: Browser;
let visitor: Visitor;
let folder: string;
beforeAll(async () => {
  [world, browser] = await Promise.all([openHostsWorld(), launchBrowser()]);
  folder = mkdtempSync(join(tmpdir(), 'lilac-dropped-'));
  visitor = await openVisitor(browser, { url: world.platform.url, viewport: desktop });
  await visitor.page.goto('/sign-in');
  await steps.signIn(visitor.page, ada);
  await visitor.page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function write(files: Record<string, string>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

async function open(path: string): Promise<Page> {
  await visitor.page.goto(path);
  return visitor.page;
}

/** The address of what was just created, once its page says that it is live. */
async function liveUrl(): Promise<string> {
  const [, id] = /\/deployments\/(\w+)$/.exec(visitor.page.url()) ?? [];
  const { client, targetOrganisationId } = world.deployer;
  const { environment_id: environmentId } = await world.deployer.healthy(id!);
  return (await client.call('environments.get', { body: { targetOrganisationId, environmentId } })).url;
}

async function create(): Promise<string> {
  await visitor.page.getByRole('button', { name: 'Create and deploy' }).click();
  await visitor.page.waitForURL('**/deployments/*', { timeout: 60_000 });
  return liveUrl();
}

async function paste(text: string): Promise<void> {
  await visitor.page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    const options = { clipboardData, bubbles: true, cancelable: true };
    document.activeElement!.dispatchEvent(new ClipboardEvent('paste', options));
  }, text);
}

const overflowOf = (shown: Page) =>
  shown.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));

/** How far what is chosen stays from the border around it where it takes several lines, in pixels. */
const gapOf = (choice: Locator) =>
  choice.locator('.choice-value').evaluate((value) => {
    const box = value.parentElement!;
    box.style.width = '9rem';
    const [around, inside] = [box.getBoundingClientRect(), value.firstElementChild!.getBoundingClientRect()];
    box.style.width = '';
    return Math.min(inside.top - around.top, around.bottom - inside.bottom, inside.left - around.left);
  });

describe('a new application in the console', () => {
  it('the sample is live after one click', async () => {
    const shown = await open('/new?from=sample');
    await shown.getByRole('button', { name: 'Deploy the sample' }).click();
    await shown.waitForURL('**/deployments/*', { timeout: 60_000 });
    expect((await visit(await liveUrl())).body).toContain('It works');
  });

  it('a folder is packed in the browser, without secrets and what it ignores, and its variables arrive byte for byte', async () => {
    const files = {
      'index.html': page('Dropped'),
      'a/b.txt': 'deep',
      'node_modules/x/index.js': 'no',
      '.git/HEAD': 'no',
      '.env': 'TOKEN=no',
      'keys/deploy': `-----BEGIN PRIVATE KEY-----\n${'A'.repeat(64)}\n`,
      '.gitignore': '*.log\n',
      'a/b.log': 'no',
    };
    const shown = await open('/new?from=zip');
    write(files);
    await steps.dropFiles(shown, join(folder, 'index.html'), { x: 3, y: 3 });
    await steps.dropFiles(shown, folder);
    await shown.getByText('Not sent, for they hold secrets: .env, keys/deploy. Paste what is in .env').waitFor();
    await shown.getByText('Left out by .gitignore or .lilacignore: a/b.log.').waitFor();
    await shown.getByLabel('Name', { exact: true }).fill('Dropped site');
    await shown.getByText('It will be at dropped-site.localhost').waitFor();
    await shown.getByText('Environment variables', { exact: true }).click();
    await shown.getByRole('button', { name: 'Add a variable' }).click();
    await paste('# mine\nexport TOKEN="a\\"b \\n c"\nKEY=\'-----BEGIN\n x \n-----END\'\n');
    await shown.getByText('2 variables pasted.').waitFor();
    expect(await seriousFaults(shown)).toEqual([]);
    const url = await create();
    expect((await visit(url)).body).toContain('Dropped');
    expect((await visit(url, '/a/b.txt')).body).toBe('deep');
    const unsent = ['/node_modules/x/index.js', '/keys/deploy', '/a/b.log', '/.gitignore'];
    const answers = await Promise.all(unsent.map((path) => visit(url, path)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const { client, targetOrganisationId } = world.deployer;
    const { items } = await client.call('applications.list', { body: { targetOrganisationId, filter: 'Dropped' } });
    const { id: environmentId } = (
      await client.call('environments.list', { body: { targetOrganisationId, applicationId: items[0]!.id } })
    )[0]!;
    const environment = await client.call('environments.get', { body: { targetOrganisationId, environmentId } });
    expect(environment.environment_vars).toEqual({ TOKEN: 'a"b \n c', KEY: '-----BEGIN\n x \n-----END' });
  });

  it('what is no archive is refused with a reason, and another can be chosen', async () => {
    const shown = await open('/new?from=zip');
    const field = shown.locator('input[aria-label="Choose a zip"]');
    await field.setInputFiles({ name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from('nonsense') });
    await shown.getByRole('alert').getByText('a.zip is not a zip.').waitFor();
    expect(await seriousFaults(shown)).toEqual([]);
    await field.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('nonsense') });
    await shown.getByRole('alert').getByText('notes.txt is not a zip.').waitFor();
    const other = join(folder, 'site.tgz');
    writeFileSync(other, 'packed otherwise');
    await steps.dropFiles(shown, other);
    await shown.getByRole('alert').getByText('site.tgz is not a zip. Pack the project into a .zip').waitFor();
    expect(await shown.getByRole('group', { name: 'Files to deploy' }).isVisible()).toBe(true);
  });

  it('of two that are dropped at once the first is taken, and of the other it is said that it is not', async () => {
    const shown = await open('/new?from=zip');
    const letRead = await steps.holdReading(shown);
    const archive = await zip({ 'index.html': page('One') });
    await steps.dropAtOnce(shown, { 'first.zip': archive, 'second.zip': archive });
    await shown.getByRole('alert').getByText('This one was not taken.').waitFor();
    await letRead();
    await shown.getByText('uploaded, ').waitFor();
    expect(await shown.getByRole('region', { name: 'Files' }).textContent()).toContain('first.zip');
  });

  it('a zip that can only be refused again is not offered again', async () => {
    const shown = await open('/new?from=zip');
    await steps.chooseZip(shown, 'nothing.zip', await zip({}));
    await shown.getByRole('alert').getByText('The archive is empty.').waitFor();
    expect(await shown.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await shown.getByRole('button', { name: 'Choose another zip' }).click();
    await shown.getByRole('group', { name: 'Files to deploy' }).waitFor();
    // A refusal is an answer that the browser notes as an error.
    expect(visitor.problems.splice(0).filter((problem) => !problem.includes('400'))).toEqual([]);
  });

  it('a zip that a proxy finds too large is told as that, and what must be done about it', async () => {
    const shown = await open('/new?from=zip');
    const path = '**/objects/**';
    const body = '<html><h1>413 Request Entity Too Large</h1><hr>nginx</html>';
    await shown.route(path, (route) => route.fulfill({ status: 413, contentType: 'text/html', body }));
    await steps.chooseZip(shown, 'large.zip', await zip({ 'index.html': page('large') }));
    const told = shown.getByRole('alert').getByText('Something between you and the platform answered 413');
    await told.waitFor();
    expect(await told.textContent()).toContain('Its limit on the size of bodies must be raised');
    await shown.unroute(path);
    expect(visitor.problems.splice(0).filter((problem) => !problem.includes('413'))).toEqual([]);
  });

  it('a folder that was zipped whole is taken for the project, and that is told', async () => {
    const shown = await open('/new?from=zip');
    const files = { 'shop/index.html': page('Zipped'), 'shop/a/b.txt': 'deep', '__MACOSX/shop/._a': 'x' };
    await steps.chooseZip(shown, 'zipped.zip', await zip(files));
    await shown.getByText('The folder “shop” inside was taken as the root.').waitFor();
    expect(await seriousFaults(shown)).toEqual([]);
    const url = await create();
    expect((await visit(url)).body).toContain('Zipped');
    expect((await visit(url, '/a/b.txt')).body).toBe('deep');
  });

  it('an upload can be cancelled on its way, and leaves nothing behind', async () => {
    const shown = await open('/new?from=zip');
    await shown.route('**', async (route) => {
      if (route.request().method() !== 'PUT') await route.fallback();
    });
    const archive = join(folder, 'never.zip');
    writeFileSync(archive, await zip({ 'index.html': page('never') }));
    const sending = shown.waitForRequest((request) => request.method() === 'PUT');
    const discarded = shown.waitForResponse('**/api/upload/cleanup');
    await steps.dropFiles(shown, archive);
    await sending;
    await shown.getByRole('progressbar', { name: 'Uploading' }).waitFor();
    await shown.getByRole('button', { name: 'Cancel' }).click();
    await shown.getByRole('group', { name: 'Files to deploy' }).waitFor();
    expect(await (await discarded).json()).toEqual({ removed: 1 });
    await shown.unroute('**');
  });
});

describe('repositories in the console', () => {
  it('an account is linked at the host in a window of its own, and this page hears of it', async () => {
    const { provider1 } = world.rigs;
    await provider1.createRepository('acme/shop', { isPrivate: true, files: { 'index.html': page('Shop') } });
    await provider1.push('acme/shop', { branch: 'next', files: { 'docs/site/index.html': page('Guide') } });
    const shown = await open('/repositories');
    const github = shown.getByRole('region', { name: /GitHub/ });
    const [away] = await Promise.all([
      visitor.context.waitForEvent('page'),
      github.getByRole('button', { name: 'Link an account' }).click(),
    ]);
    await away.waitForURL(`${provider1.url}/**`);
    for (let hop = 0; hop < 3 && away.url().startsWith(provider1.url); hop++) {
      await away.goto(await provider1.signIn(away.url(), { login: 'alice' }));
    }
    await github.getByText('acme is linked.').waitFor();
    await github.getByRole('list', { name: 'Linked accounts' }).getByText('1 repository').waitFor();
    await away.close();
    const strange = visitor.problems.splice(0).filter((problem) => !problem.includes(provider1.url));
    expect(strange).toEqual([]);
  });

  it('one of its repositories is found by the keyboard, and a folder of a branch deployed', async () => {
    const shown = await open('/new?from=repository');
    await shown.getByRole('combobox', { name: 'Repository' }).fill('SHOP');
    await shown.keyboard.press('Enter');
    await shown.getByLabel('Name', { exact: true }).fill('Guide');
    await shown.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Domains' }).click();
    const leaving = shown.getByRole('dialog', { name: 'Leave without creating it?' });
    await leaving.getByRole('button', { name: 'Stay here' }).click();
    await shown.getByRole('button', { name: 'Change branch' }).click();
    await shown.getByRole('combobox', { name: 'Branch' }).waitFor();
    await shown.keyboard.type('nex');
    await shown.keyboard.press('Enter');
    await shown.getByRole('button', { name: 'Change folder' }).click();
    await shown.getByRole('option', { name: 'docs', exact: true }).click();
    await shown.getByRole('option', { name: 'docs/site' }).click();
    await shown.getByText('Found: plain files.').waitFor();
    expect(await seriousFaults(shown)).toEqual([]);
    expect(await shown.getByLabel('Name', { exact: true }).inputValue(), 'what was typed is kept').toBe('Guide');
    expect((await visit(await create())).body).toContain('Guide');
  });

  it('what was typed for one stays with another branch and another repository', async () => {
    const shown = await visitor.openTab();
    await shown.goto('/new?from=repository');
    const chooseShop = async () => {
      await shown.getByRole('combobox', { name: 'Repository' }).fill('SHOP');
      await shown.keyboard.press('Enter');
      await shown.getByText('Found: plain files.').waitFor();
    };
    const valuesOf = () =>
      Promise.all(['Name', 'Build command'].map((label) => shown.getByLabel(label, { exact: true }).inputValue()));
    await chooseShop();
    await shown.getByLabel('Name', { exact: true }).fill('Kept');
    await shown.getByLabel('Build command').fill('make kept');
    await shown.getByLabel('A server').check();
    await shown.getByText('Size, instances and port').click();
    await shown.getByLabel('Port', { exact: true }).fill('4321');
    await shown.getByRole('button', { name: 'Change branch' }).click();
    await shown.getByRole('combobox', { name: 'Branch' }).fill('nex');
    const asked = shown.waitForResponse('**/api/applications/detect-framework');
    await shown.keyboard.press('Enter');
    await asked;
    await shown.getByText('Found: plain files.').waitFor();
    expect(await valuesOf()).toEqual(['Kept', 'make kept']);
    expect(await shown.getByLabel('A server').isChecked()).toBe(true);
    await shown.getByRole('button', { name: 'Choose another', exact: true }).click();
    await chooseShop();
    expect(await valuesOf()).toEqual(['Kept', 'make kept']);
    await shown.getByText('Size, instances and port').click();
    expect(await shown.getByLabel('Port', { exact: true }).inputValue()).toBe('4321');
    await shown.close();
  });

  it('a public one is taken by its address, and no other; what was found in it is shown, and built as it is changed', async () => {
    const { provider1 } = world.rigs;
    const manifest = JSON.stringify({ private: true, scripts: { build: 'node build.js' } });
    await provider1.createRepository('carol/open', {
      files: { 'index.html': page('Open'), 'package.json': manifest, 'build.js': '' },
    });
    const shown = await open('/new?from=repository');
    const address = shown.getByLabel('Address');
    await address.fill('https://elsewhere.example/a/b');
    await shown.getByRole('button', { name: 'Continue' }).click();
    await shown.getByText(`Repositories may be at ${provider1.url}`).waitFor();
    await address.fill(`${provider1.url.replace('http://', '')}/carol/open.git`);
    await shown.getByRole('button', { name: 'Continue' }).click();
    await shown.getByText('Found: plain files, npm; built by npm run build.').waitFor();
    expect(await shown.getByLabel('Build command').inputValue()).toBe('npm run build');
    await shown.getByText('A push will deploy nothing by itself.').waitFor();
    await shown.getByText('cannot be changed later, nor a framework that is set here.').waitFor();
    await shown.getByRole('button', { name: 'Change folder' }).click();
    await shown.getByText('There are no folders in it.').waitFor();
    await shown.keyboard.press('Escape');
    await shown.getByText('There are no folders in it.').waitFor({ state: 'detached' });
    expect(await focused(shown)).toMatch(/^Change folder/);
    await shown.getByLabel('A server').check();
    await shown.getByText('nor a framework or a start command that is set here').waitFor();
    await shown.getByText('Size, instances and port').click();
    await shown.getByText(/^The plan \w+ allows \d+\.$/).waitFor();
    expect(await shown.getByLabel('CPU').locator('option:checked').textContent()).toBe('0.5 (usual for 512 MiB)');
    expect(await gapOf(shown.getByRole('group', { name: 'Framework' })), 'to its border').toBeGreaterThan(4);
    await shown.getByLabel('Start command').fill('node server.js');
    await shown.getByLabel('A site of files').check();
    expect(await shown.getByLabel('Build command').inputValue(), 'as it was found').toBe('npm run build');
    await shown.getByLabel('A server').check();
    expect(await shown.getByLabel('Start command').inputValue(), 'as it was typed').toBe('node server.js');
    await shown.getByLabel('A site of files').check();
    await shown.getByLabel('Build command').fill(`mkdir made && echo '${page('Changed')}' > made/index.html`);
    await shown.getByLabel('Output folder').fill('made');
    expect((await visit(await create())).body).toContain('Changed');
  });

  it('an account is unlinked after a question', async () => {
    const shown = await open('/repositories');
    const github = shown.getByRole('region', { name: /GitHub/ });
    await github.getByRole('button', { name: 'Unlink acme' }).click();
    await steps.confirmDialog(shown, 'Unlink');
    await github.getByText('No account of GitHub is linked yet.').waitFor();
    expect(await focused(shown)).toMatch(/^GitHub/);
    await github.getByRole('button', { name: 'Link acme' }).waitFor();
    const { client, targetOrganisationId: orgId } = world.deployer;
    expect(await client.call('vcs-app.organisation-installations', { params: { orgId } })).toEqual([]);
  });
});

describe('on a phone', () => {
  it('everything fits, and nothing keeps anybody from using it', async () => {
    await visitor.page.setViewportSize(phone);
    for (const path of ['/new', '/new?from=repository', '/new?from=zip', '/new?from=sample', '/repositories']) {
      const shown = await open(path);
      await shown.getByRole('heading', { level: 1 }).waitFor();
      await steps.settle(shown);
      const found = { path, overflow: await overflowOf(shown), faults: await seriousFaults(shown) };
      expect(found).toEqual({ path, overflow: 0, faults: [] });
    }
  });

  it('a repository is deployed', async () => {
    const { provider1 } = world.rigs;
    await provider1.createRepository('carol/pocket', { files: { 'index.html': page('Pocket') } });
    const shown = await open('/new?from=repository');
    await shown.getByLabel('Address').fill(`${provider1.url}/carol/pocket`);
    await shown.getByRole('button', { name: 'Continue' }).click();
    await shown.getByText('Found: plain files.').waitFor();
    expect((await visit(await create())).body).toContain('Pocket');
  });

  it('a zip becomes a server: its log is read, variables deploy it anew, it gets a range, and is rolled back', async () => {
    const shown = await open('/new?from=zip');
    const link = (name: string) => shown.getByRole('link', { name, exact: true });
    await steps.chooseZip(shown, 'talker.zip', await zip(talkingApp()));
    await shown.getByLabel('Name', { exact: true }).fill('Talker');
    const url = await create();
    const first = shown.url();
    await shown.getByRole('group', { name: 'Lines of the build log' }).getByText('==> Live at').waitFor();
    await link('production').click();
    await link('Variables').click();
    await shown.getByRole('button', { name: /^Add/ }).click();
    await shown.getByLabel(/^Name of/).fill('GREETING');
    await shown.getByRole('button', { name: 'Review 1 change' }).click();
    await shown.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await shown.waitForURL('**/deployments/*', { timeout: 60_000 });
    await shown.getByText('live', { exact: true }).waitFor();
    await link('production').click();
    await link('Settings').click();
    const scaling = shown.getByRole('form', { name: 'Scaling' });
    await scaling.getByLabel('At most').fill('2');
    await scaling.getByRole('button', { name: 'Save' }).click();
    await scaling.getByText('Saved').waitFor();
    await shown.goto(first);
    await shown.getByRole('button', { name: /^Roll back to/ }).click();
    await steps.confirmDialog(shown, 'Roll back');
    await shown.getByText('live', { exact: true }).waitFor();
    expect((await visit(url)).body).toBe('hello');
  });

  it('nothing went wrong behind the pages', () => expect(visitor.problems).toEqual([]));
});
