import type { HeldLine } from '../../parts/log-view/held-line.ts';

/** What the platform says of itself in a build log begins so. */
const NOTE = '==> ';
/** Where a log that is too long has lost its middle: what stands on both sides of it is of one stage. */
const CUT = `${NOTE}The log is too long: `;
const TROUBLE = /\b(err(or)?|fatal|fail(ed|ure)?|exception|panic(ked)?|traceback|cannot|can't|not found|unresolved)\b/i;

type Line = Pick<HeldLine, 'text' | 'plain'>;

/**
 * The number of the line that tells most of why a build failed: the first of the failed stage's own lines that speaks
 * of trouble, else the platform's own word. Where its middle is lost, the end is looked at first: it is what ended the
 * build. Null where the log says nothing of it.
 */
export function failingLine(lines: readonly Line[], error: string | null): number | null {
  const verdict = lines.findLastIndex((line) => isVerdict(line, error));
  if (verdict === -1) return null;
  for (let end = verdict; ;) {
    const note = lastNoteBefore(lines, end);
    const trouble = firstTroubleBetween(lines, note + 1, end);
    if (trouble !== null) return trouble + 1;
    if (note === -1 || !lines[note]!.text.startsWith(CUT)) return verdict + 1;
    end = note;
  }
}

/** -1 where there is none. */
function lastNoteBefore(lines: readonly Line[], end: number): number {
  let at = end - 1;
  while (at >= 0 && !isNote(lines[at]!.text)) at--;
  return at;
}

function firstTroubleBetween(lines: readonly Line[], start: number, end: number): number | null {
  for (let at = start; at < end; at++) {
    const { plain } = lines[at]!;
    if (!isCommand(plain) && TROUBLE.test(plain)) return at;
  }
  return null;
}

/** What is run is written down first, and may be called after what it looks for. */
function isCommand(line: string): boolean {
  return line.startsWith('$ ');
}

export function isNote(line: string): boolean {
  return line.startsWith(NOTE);
}

function isVerdict({ text, plain }: Line, error: string | null): boolean {
  if (!error || !isNote(text)) return false;
  return plain.slice(NOTE.length).trim() === error.trim();
}
