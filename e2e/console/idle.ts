import type { Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import * as steps from './steps.ts';
import type { Application } from '../deploying.ts';

interface IdleWorld {
  page: Page;
  /** Nothing of it moves. */
  application: Application;
}

const MOST_A_MINUTE = 16;

/** What a page asks where nothing happens. Call it within a `describe`. */
export function testIdle(world: () => IdleWorld): void {
  it.each(['overview', 'variables', 'activity', 'application'])(
    'asks seldom where nothing moves, and still asks: %s',
    async (name) => {
      const { page, application } = world();
      const context = page.context();
      const idle = await context.newPage();
      const environment = `/environments/${application.environmentId}`;
      const paths: Record<string, string> = { overview: environment, application: `/apps/${application.id}` };
      await idle.clock.install();
      await idle.goto(paths[name] ?? `${environment}/${name}`);
      await idle.getByRole('navigation', { name: 'Parts of this page' }).waitFor();
      await steps.settle(idle);
      await idle.waitForLoadState('networkidle');
      const asked = await askedInAMinute(idle);
      expect(asked.slice(MOST_A_MINUTE), `${asked.length} questions: ${asked.toSorted().join(' ')}`).toEqual([]);
      expect(new Set(asked)).toContain(name === 'application' ? '/api/applications/get' : '/api/environments/get');
      await idle.close();
    },
  );
}

/** By the page's own clock, which goes on only as fast as what was asked is answered. */
async function askedInAMinute(page: Page): Promise<string[]> {
  const asked: string[] = [];
  const open = new Set<Request>();
  const note = (request: Request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/api/')) return;
    asked.push(pathname);
    open.add(request);
  };
  page.on('request', note);
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  for (let second = 0; second < 60; second++) {
    await page.clock.runFor(1000);
    await expect.poll(() => open.size, { timeout: 30_000 }).toBe(0);
  }
  page.off('request', note);
  return asked;
}
