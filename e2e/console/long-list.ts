import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { desktop, phone } from './browser.ts';

const LIST = '**/api/applications';
const PAGE_SIZE = 20;

interface ListedApplication {
  id: string;
  name: string;
}

/** A list of two pages. Call it within a `describe`, once there is an application. */
export function testLongList(world: () => Page): void {
  it.each([desktop, phone])(
    'the way back leads to the page of it and the place in it that were left, at $width',
    async (viewport) => {
      const page = world();
      await page.setViewportSize(viewport);
      const hold = await lengthen(page);
      await page.goto('/');
      await page.getByRole('button', { name: 'Next', exact: true }).click();
      await page.getByText('Page 2 of 2').waitFor();
      const last = page.getByRole('link', { name: 'The last one', exact: true });
      await last.scrollIntoViewIfNeeded();
      const topPx = () => page.evaluate(() => Math.round(scrollY));
      const left = await topPx();
      expect(left).toBeGreaterThan(viewport.height / 2);
      await last.click();
      await page.getByRole('navigation', { name: 'Where this is' }).waitFor();
      expect(await topPx()).toBe(0);
      const release = hold();
      await page.goBack();
      await page.getByRole('heading', { name: 'Applications', level: 1 }).waitFor();
      expect(await topPx(), 'there is nothing to scroll yet').toBeLessThan(left);
      release();
      await page.getByText('Page 2 of 2').waitFor();
      await expect.poll(topPx, { timeout: 20_000 }).toBe(left);
      await page.unroute(LIST);
      await page.setViewportSize(desktop);
    },
  );

  it('says of when its figures are where it has no headings', async () => {
    const page = world();
    await page.setViewportSize(phone);
    await page.goto('/');
    const when = page.locator('.app-row-spark').getByText('in the last hour').first();
    await when.waitFor();
    expect((await when.boundingBox())!.width).toBeGreaterThan(40);
    await page.setViewportSize(desktop);
    expect((await when.boundingBox())!.width).toBeLessThan(2);
  });
}

/** The first application, as often as two pages hold, and once as it is. Answers how to let the next answer wait. */
async function lengthen(page: Page): Promise<() => () => void> {
  let waiting = Promise.resolve();
  await page.route(LIST, async (route) => {
    const { page: wanted, ...rest } = route.request().postDataJSON() as { page: number };
    const response = await route.fetch({ postData: { ...rest, page: 1 } });
    const list = (await response.json()) as { items: ListedApplication[] };
    const first = list.items[0]!;
    const others = Array.from({ length: PAGE_SIZE - 1 }, (_, at) => ({ ...first, id: `${first.id}-${wanted}-${at}` }));
    const items = [...others, { ...first, name: 'The last one' }];
    await waiting;
    await route.fulfill({
      response,
      json: { ...list, items, totalItems: 2 * PAGE_SIZE, totalPages: 2, currentPage: wanted },
    });
  });
  return () => {
    const held = Promise.withResolvers<void>();
    waiting = held.promise;
    return held.resolve;
  };
}
