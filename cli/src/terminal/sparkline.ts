type Series = readonly { t: string; v: number }[];

const BLOCKS = '▁▂▃▄▅▆▇█';
/** For terminals that know no others. */
const PLAIN = '_.:-=+*#';
const MINUTE_MS = 60_000;
const MINUTES = 60;

/** When the newest point of all is; lines that end there can be compared. */
export function newestOf(all: readonly Series[]): number {
  return Math.max(0, ...all.flatMap((series) => series.map(({ t }) => Date.parse(t))));
}

export function totalOf(series: Series): number {
  return series.reduce((sum, { v }) => sum + v, 0);
}

/**
 * The hour up to `end` in at most `width` characters, each as high as its minutes together are beside the most
 * there was. Nothing is the lowest, which nothing else is; what was not measured is left blank.
 */
export function sparkline(
  series: Series,
  { end, width, hasUnicode }: { end: number; width: number; hasUnicode: boolean },
): string {
  const size = Math.ceil(MINUTES / Math.max(1, Math.min(MINUTES, width)));
  const slots: (number | null)[] = Array.from({ length: Math.ceil(MINUTES / size) }, () => null);
  for (const { t, v } of series) {
    const slot = slots.length - 1 - Math.floor((end - Date.parse(t)) / MINUTE_MS / size);
    if (slot >= 0 && slot < slots.length) slots[slot] = (slots[slot] ?? 0) + v;
  }
  const most = Math.max(...slots.map((sum) => sum ?? 0));
  const levels = hasUnicode ? BLOCKS : PLAIN;
  const levelOf = (sum: number) => (sum === 0 ? 0 : Math.max(1, Math.round((sum / most) * (levels.length - 1))));
  return slots.map((sum) => (sum === null ? ' ' : levels[levelOf(sum)])).join('');
}
