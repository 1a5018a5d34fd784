import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { seriousFaults } from './faults.ts';
import { aDay, standInForMetrics } from './metrics-stand-in.ts';
import { isShaded, pointAt, sayMoment, toldBy } from './plot.ts';

export interface MetricsWorld {
  page: Page;
  /** Opens a tab of a server that has been asked for something. */
  open(tab: string): Promise<Page>;
  /** How many times it has been. */
  asked(): number;
}

const HOUR_MS = 3_600_000;
/** How long a busy machine may take to draw what is pointed at. */
const DRAWN = { timeout: 30_000 };
/** Until the page has asked again, after the platform has counted. */
const COUNTED = { timeout: 100_000 };

/** What the metrics of an environment show. Call it within a `describe`. */
export function testMetrics(world: () => MetricsWorld): void {
  it('are drawn for the range of the address, and told in a table', async () => {
    const page = await world().open('/metrics?range=6h');
    const requests = page.getByRole('figure', { name: 'Requests in 5 minutes' });
    await requests.locator('canvas').waitFor(COUNTED);
    expect(world().asked()).toBeGreaterThan(0);
    await expect.poll(() => sumIn(requests), COUNTED).toBe(world().asked());
    await page.getByRole('button', { name: '7 days' }).click();
    await page.getByRole('figure', { name: 'Requests in 2 hours' }).waitFor();
    expect(new URL(page.url()).searchParams.get('range')).toBe('7d');
    expect(await page.getByRole('figure').count()).toBe(6);
  });

  it.each([
    { range: '1 hour', hours: 1, title: 'Requests a minute', stepMs: 60_000 },
    { range: '6 hours', hours: 6, title: 'Requests in 5 minutes', stepMs: 300_000 },
    { range: '24 hours', hours: 24, title: 'Requests in 15 minutes', stepMs: 900_000 },
    { range: '7 days', hours: 168, title: 'Requests in 2 hours', stepMs: 7_200_000 },
  ])('of $range begin so long ago and end now', async ({ range, hours, title, stepMs }) => {
    const { page } = world();
    await page.getByRole('button', { name: range, exact: true }).click();
    const requests = page.getByRole('figure', { name: title });
    await requests.locator('canvas').waitFor();
    for (const place of [0, 0.5, 1]) {
      await pointAt(requests, place);
      const step = Math.floor((Date.now() - (1 - place) * hours * HOUR_MS) / stepMs);
      const around = [step - 1, step, step + 1].map((each) => sayMoment(each * stepMs));
      await expect.poll(async () => (await toldBy(requests)).moment, DRAWN).toBeOneOf(around);
    }
  });

  it('are told of the moment that is pointed at, and shaded where no instance ran', async () => {
    const day = aDay();
    const restore = await standInForMetrics(world().page, day);
    const page = await world().open('/metrics?range=24h');
    const cpu = page.getByRole('figure', { name: 'CPU, percent of limit' });
    await cpu.locator('canvas').waitFor();
    const { t, v } = day.metrics.cpu![35]!;
    const moment = sayMoment(Date.parse(t));
    await pointAt(cpu, placeInDay(Date.parse(t)));
    await expect.poll(() => toldBy(cpu), DRAWN).toEqual({ moment, values: `${v}%` });
    const requests = page.getByRole('figure', { name: 'Requests in 15 minutes' });
    await expect.poll(async () => (await toldBy(requests)).moment, DRAWN).toBe(moment);
    await page.getByText('Hatched: no instance was running.').waitFor();
    const instances = page.getByRole('figure', { name: /^Instances/ });
    const counted = day.metrics.instanceCount!;
    const woken = counted.findIndex((each) => each.v > 0);
    const isStepShaded = (step: number) =>
      isShaded(instances, placeInDay(Date.parse(counted[step]!.t) + day.timeRange.stepSeconds * 500));
    const looked = [1, woken - 1, woken, counted.length - 2];
    await expect.poll(() => Promise.all(looked.map(isStepShaded)), DRAWN).toEqual([true, true, false, false]);
    await restore();
  });

  it('are read by the keyboard alone, point by point, and heard', async () => {
    const day = aDay();
    const restore = await standInForMetrics(world().page, day);
    const page = await world().open('/metrics?range=24h');
    const figure = page.getByRole('figure', { name: 'CPU, percent of limit' });
    const reader = figure.getByRole('slider', { name: 'CPU, percent of limit' });
    await figure.locator('canvas').waitFor();
    const measured = day.metrics.cpu!;
    const isAt = async (index: number) => {
      const { t, v } = measured.at(index)!;
      const told = { moment: sayMoment(Date.parse(t)), values: `${v}%` };
      await expect.poll(() => reader.getAttribute('aria-valuetext'), DRAWN).toBe(`${told.moment}: ${told.values}`);
      await expect.poll(() => toldBy(figure), DRAWN).toEqual(told);
    };
    // A pointer that rests there points at something.
    await page.mouse.move(0, 0);
    await reader.focus();
    await isAt(-1);
    for (const [key, index] of Object.entries({ ArrowLeft: -2, PageDown: -12, ArrowRight: -11, Home: 0, PageUp: 10 })) {
      await page.keyboard.press(key);
      await isAt(index);
    }
    const requests = page.getByRole('figure', { name: 'Requests in 15 minutes' });
    const moment = sayMoment(Date.parse(measured[10]!.t));
    await expect.poll(async () => (await toldBy(requests)).moment, DRAWN).toBe(moment);
    expect(await seriousFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await isAt(-1);
    expect(await figure.locator('.u-cursor-x').evaluate(isInPicture), 'nothing is pointed at any more').toBe(false);
    await page.keyboard.press('End');
    await isAt(-1);
    expect(await figure.locator('.u-cursor-x').evaluate(isInPicture)).toBe(true);
    await restore();
  });
}

/** Runs in the page. */
const isInPicture = (element: Element) =>
  element.getBoundingClientRect().left >= element.parentElement!.getBoundingClientRect().left;

/** Of all that the table of a figure says. */
async function sumIn(figure: Locator): Promise<number> {
  return (await figure.getByRole('cell').allTextContents()).reduce((sum, each) => sum + Number(each), 0);
}

/** In a day that ends now. */
function placeInDay(ms: number): number {
  return 1 - (Date.now() - ms) / (24 * HOUR_MS);
}
