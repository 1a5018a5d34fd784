import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Viewport } from '../browser.ts';
import * as steps from '../steps.ts';

export type Camera = (name: string) => Promise<void>;

interface CameraOptions {
  folder: string;
  /** Of the names of its pictures. */
  prefix: string;
  viewport: Viewport;
}

/** The whole page, in a window as high as it is: what sticks to the window's edge is then where it belongs. */
export function createCamera(page: Page, { folder, prefix, viewport }: CameraOptions): Camera {
  const comeToRest = watchRequests(page);
  return async (name) => {
    await steps.settle(page);
    await comeToRest();
    await keepHeights(page);
    await page.setViewportSize({ ...viewport, height: await heightOf(page, viewport) });
    // What comes into sight may ask for more, and be higher then.
    await comeToRest();
    await page.setViewportSize({ ...viewport, height: await heightOf(page, viewport) });
    await page.screenshot({ path: join(folder, `${prefix}-${name}.png`) });
    await page.setViewportSize(viewport);
  };
}

/** Of these the height is a part of the window's: they would grow with it, and the page beyond the picture. */
const ofTheWindow = '.log-scroll, .grid, .tables';

async function keepHeights(page: Page): Promise<void> {
  await page.evaluate((selector) => {
    for (const part of document.querySelectorAll<HTMLElement>(selector)) {
      part.style.maxHeight = `${part.offsetHeight}px`;
    }
  }, ofTheWindow);
}

async function heightOf(page: Page, { height }: Viewport): Promise<number> {
  return Math.max(height, await page.evaluate(() => document.documentElement.scrollHeight));
}

const QUIET_MS = 200;
const PATIENCE_MS = 10_000;

/**
 * Resolves to how to wait until the page has asked all it wants to know. Streams and uploads take as long as they like.
 */
function watchRequests(page: Page): () => Promise<void> {
  const underWay = new Set<object>();
  let lastMs = Date.now();
  const end = (request: object) => {
    underWay.delete(request);
    lastMs = Date.now();
  };
  page.on('request', (request) => {
    const isLasting = request.method() === 'PUT' || new URL(request.url()).pathname.endsWith('/stream');
    if (!isLasting) underWay.add(request);
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return async () => {
    lastMs = Date.now();
    const untilMs = lastMs + PATIENCE_MS;
    while ((underWay.size > 0 || Date.now() - lastMs < QUIET_MS) && Date.now() < untilMs) await sleep(50);
  };
}
