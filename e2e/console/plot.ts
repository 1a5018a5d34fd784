import type { Locator } from 'playwright-core';

/** A plot of the console as somebody sees it who points at it. Places are parts of its width, from 0 to 1. */

const moments = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
/** As a plot says it. */
export const sayMoment = (ms: number): string => moments.format(ms);

export async function pointAt(figure: Locator, place: number): Promise<void> {
  const area = figure.locator('.u-over');
  const { width, height } = (await area.boundingBox())!;
  await area.hover({ position: { x: Math.min(width - 1, Math.max(1, place * width)), y: height / 2 } });
}

export interface Told {
  moment: string | null;
  values: string | null;
}

/** What the plot says above itself: of where somebody points, once that is drawn. */
export async function toldBy(figure: Locator): Promise<Told> {
  return {
    moment: await figure.locator('figcaption > .meta').textContent(),
    values: await figure.locator('.plot-legend').textContent(),
  };
}

/** Whether a place is in a band: whatever is drawn over it, that has an edge of its colour below. */
export function isShaded(figure: Locator, place: number): Promise<boolean> {
  return figure.locator('canvas').evaluate((element, part) => {
    const canvas = element as HTMLCanvasElement;
    const area = canvas.parentElement!.querySelector('.u-over')!.getBoundingClientRect();
    const box = canvas.getBoundingClientRect();
    const scale = canvas.width / box.width;
    const probe = document.createElement('span');
    probe.style.color = 'var(--line-strong)';
    document.body.append(probe);
    const paint = new OffscreenCanvas(1, 1).getContext('2d')!;
    paint.fillStyle = getComputedStyle(probe).color;
    probe.remove();
    paint.fillRect(0, 0, 1, 1);
    const band = paint.getImageData(0, 0, 1, 1).data.join(' ');
    const left = Math.round((area.left - box.left + area.width * part) * scale);
    const [top, height] = [(area.top - box.top) * scale, area.height * scale].map(Math.round) as [number, number];
    const column = canvas.getContext('2d')!.getImageData(left, top, 1, height).data;
    const pixels = Array.from({ length: height }, (_, y) => column.slice(4 * y, 4 * y + 4).join(' '));
    return pixels.slice(-5).includes(band);
  }, place);
}
