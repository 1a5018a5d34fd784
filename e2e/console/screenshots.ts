import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { startGitHost } from '../../server/src/testing/git-host.ts';
import { startGitlabRig } from '../../server/src/vcs/testing/gitlab-rig.ts';
import { launchBrowser, openVisitor, type Viewport } from './browser.ts';
import { type Camera, createCamera } from './screenshots/camera.ts';
import { takeDialogs } from './screenshots/dialogs.ts';
import { takeDevices, takeInvitation } from './screenshots/guests.ts';
import { takeHosts } from './screenshots/hosts.ts';
import { takeAccount, takeDomains, takeKeys, takePages } from './screenshots/pages.ts';
import { takeEmpty, takeNew, takeSignIn, takeTroubles, takeUnfolded } from './screenshots/states.ts';
import { fillPlatform } from './screenshots/world.ts';
import * as steps from './steps.ts';
import { gitlabSettings } from './walk/gitlab.ts';
import { startPlatform } from '../platform.ts';

/**
 * `node e2e/console/screenshots.ts <folder> [only]`: a picture of every page, in both themes, wide and narrow, on a
 * real platform with a few applications and a database. `only` is one of `desktop-light`, `phone-dark` and so on.
 */
const ada = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery', organisation: 'Analytical' };
const folder = resolve(process.argv[2] ?? 'screenshots');
const only = process.argv[3];
mkdirSync(folder, { recursive: true });

const looks = (['desktop', 'phone'] as const)
  .flatMap((size) => (['light', 'dark'] as const).map((colorScheme) => ({ size, colorScheme })))
  .filter(({ size, colorScheme }) => !only || only === `${size}-${colorScheme}`);
if (looks.length === 0) throw new Error(`${only} is none of desktop-light, desktop-dark, phone-light and phone-dark.`);
const viewports: Record<'desktop' | 'phone', Viewport> = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
};

await using host = await startGitHost();
await using gitlab = await startGitlabRig();
await using platform = await startPlatform({
  env: {
    LILAC_VCS_URL: host.url,
    ...gitlabSettings(gitlab),
    LILAC_RATE_LIMIT: '1000000',
    LILAC_LOG_LEVEL: 'warn',
  },
});
const browser = await launchBrowser();
try {
  await inEveryLook(async (page, camera) => {
    await page.goto(platform.setupLink!);
    await page.getByLabel('Your name').waitFor();
    await camera('setup');
  });
  const owner = await openVisitor(browser, { url: platform.url });
  await steps.setUp(owner.page, platform.setupLink!, ada);
  await steps.choosePlan(owner.page, 'pro');
  await owner.context.close();
  await inEveryLook(async (page, camera) => {
    await enter(page);
    await camera('first-run');
    await takeEmpty(page, camera);
  });
  const world = await fillPlatform(platform, { open: host, gitlab }, ada.email);
  await inEveryLook(async (page, camera) => {
    await enter(page);
    await takePages(page, camera, world);
    await takeDialogs(page, camera, world);
    await takeTroubles(page, camera, world);
    await takeNew(page, camera, `${host.url}/analytical/handbook`);
    await takeUnfolded(page, camera, world);
    await takeKeys(page, camera);
    await takeDomains(page, camera);
    await takeAccount(page, camera, ada);
    await takeHosts(page, camera, world);
    await takeDevices(page, camera, platform.url);
    await takeInvitation(page, camera);
    await takeSignIn(page, camera);
  });
} finally {
  await browser.close();
}

async function inEveryLook(take: (page: Page, camera: Camera) => Promise<void>): Promise<void> {
  for (const { size, colorScheme } of looks) {
    const viewport = viewports[size];
    const { page, context } = await openVisitor(browser, { url: platform.url, viewport, colorScheme });
    await take(page, createCamera(page, { folder, prefix: `${size}-${colorScheme}`, viewport }));
    await context.close();
  }
}

async function enter(page: Page): Promise<void> {
  await page.goto('/sign-in');
  await steps.signIn(page, ada);
  await page.getByRole('heading', { name: 'Applications' }).waitFor();
}
