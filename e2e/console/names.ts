import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { desktop, phone } from './browser.ts';

const TURNING = /[\u202A-\u202E\u2066-\u2069\u200B]/;
const LONG = 'an-archive-whose-name-was-made-by-a-program-and-says-everything-about-it-'.padEnd(120, 'x');
const LIST = '**/api/applications';

/** How names are shown that people would rather not have seen. Call it within a `describe`. */
export function testNames(world: () => Page): void {
  it('a name with marks that turn text round turns nothing, and shows them', async () => {
    const page = world();
    await standIn(page, [{ name: 'evil\u202Egpj\u200B' }]);
    await page.goto('/');
    await page.getByRole('link', { name: 'evil[U+202E]gpj[U+200B]', exact: true }).waitFor();
    await page.getByRole('listitem', { name: 'evil[U+202E]gpj[U+200B]', exact: true }).waitFor();
    expect(await page.locator('body').textContent()).not.toMatch(TURNING);
    expect(await page.locator('.app-row-link bdi').count()).toBe(1);
    await page.unroute(LIST);
  });

  it.each([desktop, phone])(
    'two long names that differ at their ends can be told apart at $width',
    async (viewport) => {
      const page = world();
      await page.setViewportSize(viewport);
      const at = (minute: number) => ({
        id: `dep_${minute}`,
        started_at: new Date(Date.now() - minute * 60_000).toISOString(),
        upload_name: `${LONG}.zip`,
        commit_message: null,
        commit_sha: null,
        is_rolled_back: false,
      });
      await standIn(page, [
        { name: 'One', live_deployment: at(1) },
        { name: 'Two', live_deployment: at(2) },
      ]);
      await page.goto('/');
      const names = page.locator('.served-name bdi');
      await names.nth(1).waitFor();
      const shown = await names.evaluateAll((all) =>
        (all as HTMLElement[]).map((each) => {
          const box = each.getBoundingClientRect();
          return { text: each.textContent, title: each.title, isInside: box.right <= innerWidth && box.left >= 0 };
        }),
      );
      expect(shown[0]!.text).not.toBe(shown[1]!.text);
      expect(shown[0]!.text).toMatch(/^an-archive.*….*\.zip, /);
      expect(shown[0]!.title).toContain(LONG);
      expect(shown.every(({ isInside }) => isInside)).toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await page.unroute(LIST);
      await page.setViewportSize(desktop);
    },
  );
}

/** The first application of the list, once for each of these, with what they have of their own. */
async function standIn(page: Page, changes: readonly object[]): Promise<void> {
  await page.route(LIST, async (route) => {
    const response = await route.fetch();
    const list = (await response.json()) as { items: { id: string }[]; totalItems: number };
    const [first] = list.items;
    const items = changes.map((change, index) => ({ ...first!, id: `${first!.id}-${index}`, ...change }));
    await route.fulfill({ response, json: { ...list, items, totalItems: items.length } });
  });
}
