import type { Locator, Page } from 'playwright-core';

export interface Scrolled {
  /** The most lines that were in the page at once. */
  mostRows: number;
  /** How often a part of the view was empty. */
  empty: number;
  /** What each step took of a processor, in milliseconds, the dearest first: how busy the machine is does not count. */
  costsMs: number[];
}

/** A prime, so that a walk in leaps over them comes by every one of them. */
const STEPS = 61;
const LEAP = 23;

/**
 * Goes to as many places of a log, evenly spread from its beginning to its end, and looks at each picture. In leaps, so
 * that every line in sight is a new one, in a short log as in a long one.
 */
export async function scrollThrough(lines: Locator): Promise<Scrolled> {
  const seen: Scrolled = { mostRows: 0, empty: 0, costsMs: [] };
  await using clock = await startClock(lines.page());
  for (let step = 0; step < STEPS; step++) {
    const before = await clock.busyMs();
    const { rows, isEmpty } = await lines.evaluate(showPart, ((step * LEAP) % STEPS) / (STEPS - 1));
    seen.costsMs.push((await clock.busyMs()) - before);
    seen.mostRows = Math.max(seen.mostRows, rows);
    if (isEmpty) seen.empty++;
  }
  seen.costsMs.sort((one, other) => other - one);
  return seen;
}

/** The number of the line at the upper edge. */
export const firstInSight = (view: Locator) =>
  view.evaluate((lines) => {
    const edge = lines.getBoundingClientRect().top;
    const links = [...lines.querySelectorAll('a[aria-label^="Line "]')];
    const first = links.find((link) => link.parentElement!.getBoundingClientRect().bottom > edge + 1)!;
    return Number(first.getAttribute('aria-label')!.slice('Line '.length));
  });

/** Shows no more than the beginning of every log. Resolves to how to undo it. */
export async function shortenLogs(page: Page, count: number): Promise<() => Promise<void>> {
  const path = '**/api/deployments/get';
  await page.route(path, async (route) => {
    const response = await route.fetch();
    const deployment = (await response.json()) as { deployment_logs: string[] };
    await route.fulfill({
      response,
      json: { ...deployment, deployment_logs: deployment.deployment_logs.slice(0, count) },
    });
  });
  return () => page.unroute(path);
}

/**
 * Looks at every picture of a log while lines come. Answers how to end it: how many there were, and how many had no
 * line.
 */
export async function watchPictures(lines: Locator): Promise<() => Promise<{ pictures: number; blank: number }>> {
  const watched = await lines.evaluateHandle(lookAtPictures);
  return () =>
    watched.evaluate((seen) => {
      seen.isOver = true;
      return { pictures: seen.pictures, blank: seen.blank };
    });
}

/** Runs in the page. */
function lookAtPictures(element: Element) {
  const seen = { pictures: 0, blank: 0, isOver: false };
  const look = () => {
    if (seen.isOver) return;
    const view = element.getBoundingClientRect();
    const rows = [...element.querySelectorAll('.log-line')].map((row) => row.getBoundingClientRect());
    seen.pictures++;
    if (!rows.some((row) => row.bottom > view.top && row.top < view.bottom)) seen.blank++;
    lookLater();
  };
  // After the picture is drawn, and before the page hears that it was scrolled.
  const lookLater = () => requestAnimationFrame(() => setTimeout(look));
  lookLater();
  return seen;
}

/** Runs in the page. */
async function showPart(element: Element, share: number): Promise<{ rows: number; isEmpty: boolean }> {
  element.scrollTop = (element.scrollHeight - element.clientHeight) * share;
  // The scrolling is told right before this, and the very picture that follows is what somebody sees.
  await new Promise((resolve) => requestAnimationFrame(resolve));
  const rows = [...element.querySelectorAll('.log-line')].map((row) => row.getBoundingClientRect());
  const { top, bottom } = element.getBoundingClientRect();
  const isEmpty = [top + 30, bottom - 30].some((y) => !rows.some((row) => row.top <= y && row.bottom >= y));
  return { rows: rows.length, isEmpty };
}

/** What the page's own thread has worked so far. */
export async function startClock(page: Page) {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  return {
    async busyMs() {
      const { metrics } = await client.send('Performance.getMetrics');
      return 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value;
    },
    [Symbol.asyncDispose]: () => client.detach(),
  };
}
