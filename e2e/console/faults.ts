import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/**
 * What keeps somebody from using a page, as axe-core finds it. Evaluated beside the page: its policy allows no script
 * but its own.
 */
export async function seriousFaults(page: Page, onlyRules?: readonly string[]): Promise<string[]> {
  const { source } = createRequire(import.meta.url)('axe-core') as { source: string };
  await page.evaluate(source);
  await page.evaluate(settle);
  // Whoever speaks to the page says what is to be read there. Not on by itself: axe-core still calls it an experiment.
  const asked = { rules: { 'label-content-name-mismatch': { enabled: true } } };
  const options = onlyRules ? { runOnly: { type: 'rule', values: [...onlyRules] } } : asked;
  return page.evaluate(async (given) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: Violation[] }> };
    };
    const { violations } = await axe.run(given);
    interface Violation {
      id: string;
      impact: string;
      nodes: { html: string }[];
    }
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, options);
}

/** What is just fading in is pale for a moment, and soon is not. */
async function settle(): Promise<void> {
  // What follows how far something is scrolled never ends.
  const timed = document.getAnimations().filter(({ timeline }) => timeline === document.timeline);
  const ending = timed.filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
  await Promise.all(ending.map((each) => each.finished.catch(() => {})));
}
