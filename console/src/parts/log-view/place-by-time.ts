import type { LogLine } from './buffer.ts';

/**
 * Among lines, the oldest first, where one belongs by its time: after those of the same moment. At the end where no
 * time is known, or its place would be further back than it may go.
 */
export function placeByTime(lines: readonly LogLine[], line: LogLine, reachMs: number): number {
  const atMs = timeOf(line);
  let index = lines.length;
  while (index > 0 && timeOf(lines[index - 1]!) > atMs) index--;
  const endMs = index < lines.length ? timeOf(lines.at(-1)!) : atMs;
  return endMs - atMs > reachMs ? lines.length : index;
}

/** Not where a time is not known. */
export function isLater(one: LogLine, other: LogLine): boolean {
  return timeOf(one) > timeOf(other);
}

/** Those of the same moment stay as they came. */
export function inOrderOfTime(lines: readonly LogLine[]): LogLine[] {
  return lines.toSorted((one, other) => timeOf(one) - timeOf(other) || 0);
}

/** Not a number where it is not known: that is neither before nor after anything. */
function timeOf({ at }: LogLine): number {
  return at === undefined ? Number.NaN : Date.parse(at);
}
