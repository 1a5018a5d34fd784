import type { LogLine } from './held-line.ts';

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: '2-digit' });
/** Three letters each: in British English September has four. */
const month = new Intl.DateTimeFormat('en-US', { month: 'short' });

/** Whether the lines say of which day they are: all of them, once one is not of today. The oldest comes first. */
export function areDated(lines: readonly LogLine[], nowMs: number): boolean {
  const today = new Date(nowMs).toDateString();
  return [lines[0], lines.at(-1)].some((line) => line?.at && new Date(line.at).toDateString() !== today);
}

/** "07:51:20", or "16 Nov 07:51:20": always as wide as `.log-dated` has room for. */
export function formatLineTime(at: string, isDated: boolean): string {
  const instant = new Date(at);
  const time = clock.format(instant);
  return isDated ? `${day.format(instant)} ${month.format(instant)} ${time}` : time;
}

/** Lines as they are copied: with the whole time of each, where it is known. */
export function printLines(lines: readonly { plain: string; at?: string }[]): string {
  return lines.map(({ at, plain }) => (at ? `${at} ${plain}` : plain)).join('\n');
}
