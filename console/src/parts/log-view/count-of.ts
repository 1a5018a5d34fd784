/** How many lines were found, and which of them one is at. */
export function countOf(matches: readonly number[], current: number | null): string {
  if (matches.length === 0) return 'nothing found';
  const place = current === null ? 0 : matches.indexOf(current) + 1;
  const lines = matches.length === 1 ? '1 line' : `${inFigures(matches.length)} lines`;
  return place === 0 ? lines : `${inFigures(place)} of ${lines}`;
}

/** To whoever asks for a line that it does not have. */
export function sayLength(lineCount: number): string {
  return `The log has ${inFigures(lineCount)} line${lineCount === 1 ? '' : 's'}`;
}

function inFigures(count: number): string {
  return count.toLocaleString('en-GB');
}
