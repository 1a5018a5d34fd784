import { isBad, type Line } from './line.ts';

/**
 * One line for each thing that was measured, however often it was tried: that of the median try, so that neither a busy
 * minute condemns what is fast enough nor a lucky one hides what is not. What some try could not measure stays bad, and
 * of what must never happen, once is too often.
 */
export function poolTries(lines: readonly Line[]): Line[] {
  const tries = Map.groupBy(lines, ({ bench, name }) => `${bench}, ${name}`);
  return [...tries.values()].map(poolOne);
}

function poolOne(tries: Line[]): Line {
  if (tries.length === 1) return tries[0]!;
  const hasMedian = tries.every(({ value, mayNever }) => value !== null && !mayNever);
  const chosen = hasMedian ? medianOf(tries) : (tries.find(isBad) ?? tries[0]!);
  return { ...chosen, name: `${chosen.name} (${tries.length} tries: ${tries.map(figuresOf).join('; ')})` };
}

/** Of an even number the worse of the two in the middle. */
function medianOf(tries: readonly Line[]): Line {
  const sorted = tries.toSorted((one, other) => one.value! - other.value!);
  const middle = [sorted[Math.floor((sorted.length - 1) / 2)]!, sorted[Math.floor(sorted.length / 2)]!];
  return middle.find(isBad) ?? middle[0]!;
}

function figuresOf({ ours, ratio }: Line): string {
  return ratio === '-' ? ours : `${ours}, ${ratio}`;
}
