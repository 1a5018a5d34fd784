import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGitHost, type GitHost } from '../../server/src/testing/git-host.ts';
import { createAccount } from '../acknowledged-writes.ts';
import { testAskedOnce } from './asked-once.ts';
import { desktop, launchBrowser, openVisitor, phone, type Visitor } from './browser.ts';
import { seriousFaults } from './faults.ts';
import { testFirstDeployment } from './first-deployment.ts';
import { firstInSight, scrollThrough, shortenLogs, watchPictures } from './log-scroll.ts';
import { testRollback } from './rollback.ts';
import * as steps from './steps.ts';
import { type Application, createDeployer, type Deployer } from '../deploying.ts';
import { type Platform, startPlatform, until } from '../platform.ts';

/** The page of a deployment: quick, failed, endless and with a hundred thousand lines. */
const LINES = 99_000;
/** Of one that anything scrolls smoothly. */
const SHORT = 1000;
/** What a hundred of them say besides: more than goes into one row. */
const LONG = 'x'.repeat(400);
const repository = 'acme/shop';

let platform: Platform;
let host: GitHost;
let browser: Browser;
let visitor: Visitor;
let deployer: Deployer;
let application: Application;
const ids = { first: '', failed: '', letters: '', long: '' };

const makePage = (words: string) => `mkdir -p out; echo '<p>${words}</p>' > out/index.html\n`;
const scripts = {
  first: `printf '\\033[32mgreen\\033[0m plain\\n'; ${makePage('first')}`,
  failed: 'echo fine; echo "shop.ts(3,7): error TS2304: no such name"; exit 2\n',
  cut: 'echo "error: mended by the tool itself"; seq 1 102000; echo "shop.ts(9,9): error TS1005: the last word"; exit 2\n',
  letters: `seq 1 2000 | sed 's/.*/⠋ said & 汉字 👩‍👩‍👧 ⚠️ ${'⠙ é한'.repeat(40)}/'; exit 2\n`,
  long: `seq 1 ${LINES} | sed 's/.*/said & of them/; s/ 498..* of.*/& ${LONG}/'; ${makePage('long')}`,
  quick: `for i in $(seq 1 150); do seq -f "quickly $i.%g" 50; sleep 0.05; done; exit 2\n`,
  slow: `for i in $(seq 1 500); do echo "slowly $i"; sleep 0.2; done; ${makePage('slow')}`,
};

const commit = (message: string, script: string) => host.commit(repository, { files: { 'build.sh': script }, message });

async function deploy(message: string, script: string): Promise<string> {
  await commit(message, script);
  return deployer.deploy(application);
}

async function open(deploymentId: string, hash = ''): Promise<Page> {
  await visitor.page.goto('about:blank');
  await visitor.page.goto(`/deployments/${deploymentId}${hash}`);
  return visitor.page;
}

beforeAll(async () => {
  host = await startGitHost();
  [platform, browser] = await Promise.all([
    startPlatform({ env: { LILAC_VCS_URL: host.url, LILAC_RATE_LIMIT: '1000000' } }),
    launchBrowser(),
  ]);
  deployer = createDeployer(platform, await createAccount(platform));
  await host.createRepository(repository, { 'build.sh': scripts.first });
  application = await deployer.createFromRepository('Shop', `${host.url}/${repository}`, {
    deploymentType: 'static',
    buildCommand: 'sh build.sh',
    outputDirectory: 'out',
  });
  ids.first = (await deployer.newest(application)).id;
  await deployer.healthy(ids.first);
  ids.failed = await deploy('Break the build', scripts.failed);
  await deployer.ended(ids.failed);
  ids.letters = await deploy('Say it in other letters', scripts.letters);
  await deployer.ended(ids.letters);
  ids.long = await deploy('Say a lot', scripts.long);
  await deployer.healthy(ids.long);
  visitor = await openVisitor(browser, { url: platform.url });
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await visitor.page.goto('/sign-in');
  await steps.signIn(visitor.page, { email: 'ada@example.org', password: 'a long pass phrase' });
  await visitor.page.getByRole('heading', { name: 'Applications' }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await platform?.[Symbol.asyncDispose]();
  await host?.[Symbol.asyncDispose]();
});

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const linesOf = (page: Page) => page.getByRole('group', { name: 'Lines of the build log' });
const line = (page: Page, number: number) => page.getByRole('link', { name: `Line ${number}`, exact: true });

describe('a log of a hundred thousand lines', () => {
  it('is scrolled as smoothly as one of a thousand, with few rows in the page, and no part of it empty', async () => {
    const restore = await shortenLogs(visitor.page, SHORT);
    await line(await open(ids.long), SHORT).waitFor();
    const short = await scrollThrough(linesOf(visitor.page));
    await restore();
    const page = await open(ids.long);
    await linesOf(page).getByText(`said ${LINES} of them`).waitFor();
    const long = await scrollThrough(linesOf(page));
    console.info('scrolled, in milliseconds of a processor', { short: sum(short.costsMs), long: sum(long.costsMs) });
    expect(long.mostRows).toBeLessThan(200);
    expect(long.empty).toBe(0);
    expect(sum(long.costsMs)).toBeLessThan(2 * sum(short.costsMs));
    // Nor is it many short steps and a few that are felt; what the browser tidies up once in a while is not counted.
    expect(long.costsMs[2]).toBeLessThan(3 * short.costsMs[2]!);
  });

  it('is searched: the first while it is typed, how many, the next, the one before, by the keyboard alone', async () => {
    const page = await open(ids.long);
    await linesOf(page).getByText(`said ${LINES} of them`).waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('SAID 4242');
    await page.getByText('1 of 11 lines', { exact: true }).waitFor();
    await linesOf(page).getByText('said 4242 of them').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('2 of 11 lines', { exact: true }).waitFor();
    await page.keyboard.type('5');
    await page.getByText('1 of 1 line', { exact: true }).waitFor();
    await linesOf(page).getByText('said 42425 of them').waitFor();
    await page.keyboard.press('Backspace');
    await page.getByText('7 of 11 lines', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next match' }).click();
    await page.getByText('8 of 11 lines', { exact: true }).waitFor();
    await page.getByLabel('Search this log').focus();
    await page.keyboard.press('Escape');
    await page.keyboard.type('said 4242 of');
    await page.getByText('1 of 1 line', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type('said 4242');
    await page.getByText('1 of 11 lines', { exact: true }).waitFor();
    await page.keyboard.press('Shift+Enter');
    await page.getByText('11 of 11 lines').waitFor();
    await linesOf(page).getByText('said 42429 of them').waitFor();
    expect(await linesOf(page).locator('mark').count()).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await page.keyboard.type(':777');
    await page.keyboard.press('Enter');
    await line(page, 777).waitFor();
    expect(new URL(page.url()).hash).toBe('#L777');
  });

  it('an address leads to its lines, and they are copied', async () => {
    const page = await open(ids.long, '#L50000');
    await line(page, 50_000).waitFor();
    await line(page, 50_003).click({ modifiers: ['Shift'] });
    expect(new URL(page.url()).hash).toBe('#L50000-L50003');
    const marked = await linesOf(page).locator('.log-marked .log-text').allTextContents();
    const copied = await steps.copyBy(page, 'Copy lines 50000–50003');
    expect(copied).toHaveLength(4);
    expect(copied.every((text) => /^said \d+ of them$/.test(text))).toBe(true);
    expect(marked).toEqual(copied);
    await page.getByRole('button', { name: 'Jump to the end' }).click();
    await linesOf(page).getByText(`said ${LINES} of them`).waitFor();
    await page.getByRole('button', { name: 'Jump to the end' }).waitFor({ state: 'detached' });
  });

  it('a line that there is not marks nothing, and is said not to be there', async () => {
    const page = await open(ids.long);
    await linesOf(page).getByText(`said ${LINES} of them`).waitFor();
    const { deployment_logs: said } = await deployer.ended(ids.long);
    const length = `The log has ${said.length.toLocaleString('en-GB')} lines`;
    await page.getByLabel('Search this log').focus();
    for (const asked of [':99999999', ':0']) {
      await page.keyboard.type(asked);
      await page.keyboard.press('Enter');
      await page.getByText(length, { exact: true }).waitFor();
      expect(new URL(page.url()).hash).toBe('');
      await page.keyboard.press('Escape');
    }
    await page.getByText(length, { exact: true }).waitFor({ state: 'detached' });
    const linked = await open(ids.long, '#L99999999');
    await linked.getByText(length, { exact: true }).waitFor();
    expect(await linked.getByRole('button', { name: /^Copy line/ }).count()).toBe(0);
  });

  it('a line that was gone to stays in sight where the log is drawn anew before the browser tells of the scrolling', async () => {
    const page = await open(ids.long);
    await linesOf(page).getByText(`said ${LINES} of them`).waitFor();
    const wrap = await page.getByLabel('Wrap lines').elementHandle();
    await wrap.evaluate((box) => {
      history.replaceState(history.state, '', '#L500');
      dispatchEvent(new Event('hashchange'));
      (box as HTMLInputElement).click();
    });
    await line(page, 500).waitFor();
    const first = await firstInSight(linesOf(page));
    expect([first <= 500, first > 400]).toEqual([true, true]);
  });

  it('wrapping keeps the line at the top where it is, however many rows those above it take', async () => {
    const page = await open(ids.long, '#L49870');
    await line(page, 49_870).waitFor();
    const rowOf = (number: number) => line(page, number).locator('xpath=..');
    const heightOf = async (number: number) => (await rowOf(number).boundingBox())!.height;
    const top = await firstInSight(linesOf(page));
    const unwrapped = await heightOf(top);
    await page.getByLabel('Wrap lines').check();
    await until('the line is wrapped', async () => (await heightOf(top)) > 2 * unwrapped);
    expect(await firstInSight(linesOf(page))).toBe(top);
    await page.getByLabel('Wrap lines').uncheck();
    await until('the line is one row again', async () => (await heightOf(top)) === unwrapped);
    expect(await firstInSight(linesOf(page))).toBe(top);
  });
});

describe('a wrapped log of all kinds of letters', () => {
  it.each([500, 1500])('has line %i where its address leads', async (number) => {
    const page = await open(ids.letters, `#L${number}`);
    await line(page, number).waitFor();
    expect(await page.getByLabel('Wrap lines').isChecked()).toBe(true);
    const [row, view] = await Promise.all([
      line(page, number).locator('xpath=..').boundingBox(),
      linesOf(page).boundingBox(),
    ]);
    expect(row!.height).toBeGreaterThan(20);
    expect(row!.y).toBeGreaterThanOrEqual(view!.y);
    expect(row!.y + row!.height).toBeLessThanOrEqual(view!.y + view!.height);
  });

  it('ends where its last line does', async () => {
    const page = await open(ids.letters);
    await linesOf(page).getByText('The build command failed').last().waitFor();
    const ends = () =>
      linesOf(page).evaluate((lines) =>
        [lines.querySelector('.log-all')!, [...lines.querySelectorAll('.log-line')].at(-1)!].map((element) =>
          Math.round(element.getBoundingClientRect().bottom),
        ),
      );
    await until('both end together', async () => {
      const [all, last] = await ends();
      return all === last;
    });
    expect(new Set(await ends()).size).toBe(1);
  });
});

/** Of a log, however much is above it; more where the window is narrow. */
const leastHeight = ({ width }: typeof phone) => (width <= 640 ? 320 : 144);

const colourOf = (element: Element) => getComputedStyle(element).color;

describe('a line with colours', () => {
  it('is shown in them, is copied without them, and has an address that leads to it', async () => {
    const page = await open(ids.first);
    const green = linesOf(page).locator('.ansi-2');
    await green.waitFor();
    expect(await green.textContent()).toBe('green');
    const row = linesOf(page)
      .locator('.log-line')
      .filter({ has: page.locator('.ansi-2') });
    expect(await row.locator('.log-text').textContent()).toBe('green plain');
    expect(await green.evaluate(colourOf)).not.toBe(await row.locator('.log-text').evaluate(colourOf));
    expect(await steps.copyBy(page, 'Copy all')).toContain('green plain');
    const link = row.getByRole('link', { name: /^Line \d+$/ });
    await link.click();
    const { hash } = new URL(page.url());
    expect(hash).toBe(await link.getAttribute('href'));
    await open(ids.first, hash);
    await linesOf(page).locator('.log-marked').waitFor();
    expect(await linesOf(page).locator('.log-marked .log-text').allTextContents()).toEqual(['green plain']);
  });
});

describe('a deployment that failed', () => {
  it('says why, and leads to the line that tells more', async () => {
    const page = await open(ids.failed);
    await page.getByText('Break the build').first().waitFor();
    await page
      .getByRole('alert')
      .getByRole('link', { name: /^Show line/ })
      .click();
    const marked = linesOf(page).locator('.log-marked');
    await marked.waitFor();
    expect(await marked.textContent()).toContain('error TS2304');
    expect(await page.locator('.stage-failed').textContent()).toContain('Build');
  });

  it('leads to the end of a log that is too long: what ended the build stands there', async () => {
    const id = await deploy('Say too much', scripts.cut);
    const { deployment_logs: said } = await deployer.ended(id);
    expect(said.at(-1002)).toMatch(/^==> The log is too long: \d,\d{3} lines are left out here\.$/);
    const page = await open(id);
    await page.getByRole('alert').getByText('error TS1005: the last word').waitFor();
    await page
      .getByRole('alert')
      .getByRole('link', { name: `Show line ${said.length - 1}` })
      .waitFor();
  });

  it('what it changes is a click away at the host', async () => {
    const page = await open(ids.failed);
    const { commit_sha: broken } = await deployer.ended(ids.failed);
    const { commit_sha: live } = await deployer.ended(ids.long);
    // What is live came later.
    const compare = page.getByRole('link', { name: 'Compare with what is live' });
    expect(await compare.getAttribute('href')).toBe(`${host.url}/${repository}/compare/${broken}...${live}`);
    const served = await open(ids.long);
    const before = served.getByRole('link', { name: 'Compare with the one before' });
    expect(await before.getAttribute('href')).toMatch(new RegExp(`/compare/[0-9a-f]{40}\\.\\.\\.${live}$`));
  });
});

describe('a first deployment', () => {
  testFirstDeployment(() => ({ deployer, page: visitor.page }));
});

describe('a deployment that is under way', () => {
  it('says a thousand lines a second, and no picture of them is blank', async () => {
    const page = await open(await deploy('Say it quickly', scripts.quick));
    await linesOf(page).getByText('quickly').first().waitFor();
    const endWatch = await watchPictures(linesOf(page));
    await linesOf(page).getByText('The build command failed').last().waitFor();
    const { pictures, blank } = await endWatch();
    expect(blank, `of ${pictures}`).toBe(0);
    expect(pictures).toBeGreaterThan(20);
  });

  it('is followed line by line over a killed api, and stopped', async () => {
    await commit('Take a while', scripts.slow);
    const page = await open(ids.failed);
    await page.getByRole('button', { name: 'Deploy the newest commit' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(ids.failed));
    await linesOf(page).getByText('slowly 3', { exact: true }).waitFor();
    await page.locator('.stage-current', { hasText: 'Build' }).waitFor();
    expect(visitor.problems).toEqual([]);
    for (const pid of platform.pids()['api']!) process.kill(pid, 'SIGKILL');
    await linesOf(page).getByText('slowly 40', { exact: true }).waitFor({ timeout: 40_000 });
    const said = await linesOf(page).locator('.log-text').allTextContents();
    const numbers = said.flatMap((text) => /^slowly (\d+)$/.exec(text)?.slice(1).map(Number) ?? []);
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
    await page.getByRole('button', { name: 'Cancel deployment' }).click();
    await page.getByRole('dialog').getByText('“Say a lot” stays as it is').waitFor();
    await steps.confirmDialog(page, 'Cancel deployment');
    await page.getByText('cancelled', { exact: true }).waitFor();
    // The killed api is no fault of the page's.
    visitor.problems.splice(0);
  });
});

describe('rolling back', () => {
  testRollback(() => ({ platform, deployer, application, page: visitor.page, first: ids.first }));
});

describe('for a member of two organisations', () => {
  testAskedOnce(() => ({
    page: visitor.page,
    deploymentId: ids.long,
    organisation: 'Acme',
    line: `said ${LINES} of them`,
    forgetProblems: () => visitor.problems.splice(0),
  }));
});

it('on a phone the stages are one line, which unfolds', async () => {
  await visitor.page.setViewportSize(phone);
  const stages = (await open(ids.long)).getByRole('region', { name: 'Stages' });
  const queue = stages.getByText('Queue');
  const all = stages.getByText(/^\d stages done in /);
  await all.waitFor();
  expect(await queue.isVisible()).toBe(false);
  await all.click();
  await queue.waitFor();
});

describe.each([
  ['a desktop', desktop],
  ['a phone', phone],
])('on %s', (_name, viewport) => {
  it.each(['first', 'failed', 'long'] as const)('%s fits, and can be used by everybody', async (which) => {
    await visitor.page.setViewportSize(viewport);
    const page = await open(ids[which]);
    await line(page, 1)
      .or(linesOf(page).getByText(`said ${LINES} of them`))
      .first()
      .waitFor();
    // It ends with the window, unless what is above it leaves too little.
    await until('the newest line is in sight', async () => {
      const { y, height } = (await linesOf(page).boundingBox())!;
      return y + height <= viewport.height || height <= leastHeight(viewport);
    });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(Math.max(0, overflow)).toBe(0);
    expect(await seriousFaults(page)).toEqual([]);
  });
});

it('nothing went wrong behind the pages', () => {
  expect(visitor.problems).toEqual([]);
});
