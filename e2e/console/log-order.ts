import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';

const STREAM = '**/logs/stream?**';

/** What comes by the stream in another order than it was written, and what is said before it comes. */
export function testLogOrder(open: () => Promise<Page>, pageOf: () => Page): void {
  it('says that it is loading until the stream is open, and shows the lines in order of time', async () => {
    const nowMs = Date.now();
    const lines = ['second', 'first', 'third'];
    const ages = { first: 3000, second: 2000, third: 1000 };
    const events = lines.map((message, index) => {
      const t = new Date(nowMs - ages[message as keyof typeof ages]).toISOString();
      return `id: ${index + 1}\nevent: log\ndata: ${JSON.stringify({ t, severity: 'INFO', message, instance: null })}\n\n`;
    });
    const held: Route[] = [];
    const hold = (route: Route) => void held.push(route);
    await pageOf().route(STREAM, hold);
    const page = await open();
    const log = page.getByRole('group', { name: 'Lines of the log' });
    await log.getByText('Loading…').waitFor();
    expect(await log.getByText('Waiting for lines').count()).toBe(0);
    await held.shift()!.fulfill({ contentType: 'text/event-stream', body: events.join('') });
    await log.getByText('third').waitFor();
    const texts = await log.locator('.log-line').allTextContents();
    expect(texts.map((text) => lines.find((line) => text.includes(line)))).toEqual(['first', 'second', 'third']);
    await page.goto('about:blank');
    await page.unroute(STREAM, hold);
  });
}
