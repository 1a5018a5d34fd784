import type { JSHandle, Locator, Page } from 'playwright-core';
import * as steps from './steps.ts';
import { type Walk, walkScript } from './walk/page.ts';

/** Between two looks whether it is once around. */
const PRESSES = 10;
const PATIENCE_MS = 5000;

/**
 * What keeps somebody from using the page, or the dialog on it, by the keyboard alone. Unfolds what can be unfolded.
 */
export async function walkFaults(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    for (const each of document.querySelectorAll('details')) each.open = true;
  });
  await steps.settle(page);
  const walk = (await page.evaluateHandle(walkScript)) as JSHandle<Walk>;
  const most = await walk.evaluate((each) => each.most);
  for (let presses = 0; presses < most; presses++) {
    await page.keyboard.press('Tab');
    if (presses % PRESSES === 0 && (await walk.evaluate((each) => each.isRound()))) break;
  }
  const faults = await walk.evaluate((each) => each.judge());
  await walk.dispose();
  return faults;
}

/** Opens a dialog by the keyboard and leaves it again: the focus must be in it, and then where it was. */
export async function openAndLeave(page: Page, opener: Locator, look: () => Promise<string[]>): Promise<string[]> {
  const dialog = page.locator('dialog:modal').last();
  await opener.focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  const isInside = await hasFocusInDialog(page);
  const faults = isInside ? await look() : ['the focus is not in the dialog', ...(await look())];
  await page.keyboard.press('Escape');
  await page.locator('dialog:modal').waitFor({ state: 'detached' });
  const hasFocus = page.waitForFunction((each) => each === document.activeElement, await opener.elementHandle(), {
    timeout: PATIENCE_MS,
  });
  return hasFocus.then(
    () => faults,
    () => [...faults, 'the focus is not given back'],
  );
}

/** Soon: what is fetched first takes the place of what stood in for it, and its focus a moment later. */
function hasFocusInDialog(page: Page): Promise<boolean> {
  return page.waitForFunction(isFocusInDialog, null, { timeout: PATIENCE_MS }).then(
    () => true,
    () => false,
  );
}

/** Runs in the page. */
const isFocusInDialog = () =>
  [...document.querySelectorAll('dialog:modal')].at(-1)?.contains(document.activeElement) === true;
