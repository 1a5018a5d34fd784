import type { Locator } from 'playwright-core';

export interface Scrolled {
  /** The most lines that were in the page at once. */
  mostRows: number;
  /** How often a part of the view was empty. */
  empty: number;
  /** The longest time that the page did not react, in milliseconds; 0 where none was worth noting. */
  longestPause: number;
}

/** Scrolls a log from its beginning to its end in a hundred steps, and looks at each picture. */
export function scrollThrough(lines: Locator): Promise<Scrolled> {
  return lines.evaluate(async (element) => {
    const seen = { mostRows: 0, empty: 0, longestPause: 0 };
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longestPause = Math.max(seen.longestPause, duration);
    });
    observer.observe({ type: 'longtask' });
    const look = () => {
      const rows = [...element.querySelectorAll('.log-line')].map((row) => row.getBoundingClientRect());
      const { top, bottom } = element.getBoundingClientRect();
      const isEmpty = [top + 30, bottom - 30].some((y) => !rows.some((row) => row.top <= y && row.bottom >= y));
      seen.mostRows = Math.max(seen.mostRows, rows.length);
      if (isEmpty) seen.empty++;
    };
    for (let step = 0; step <= 100; step++) {
      element.scrollTop = ((element.scrollHeight - element.clientHeight) * step) / 100;
      // One picture for the scrolling to be noticed, one for the lines.
      for (let picture = 0; picture < 2; picture++) {
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      }
      look();
    }
    observer.disconnect();
    return seen;
  });
}
