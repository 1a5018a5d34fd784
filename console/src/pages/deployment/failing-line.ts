/** What the platform says of itself in a build log begins so. */
const NOTE = '==> ';
const TROUBLE = /\b(err(or)?|fatal|fail(ed|ure)?|exception|panic(ked)?|traceback|cannot|can't|not found|unresolved)\b/i;

/**
 * The number of the line that tells most of why a build failed: the first of the failed stage's own lines that speaks of
 * trouble, else the platform's own word. Null where the log says nothing of it.
 */
export function failingLine(lines: readonly string[], error: string | null): number | null {
  const verdict = lines.findLastIndex((line) => isVerdict(line, error));
  if (verdict === -1) return null;
  const before = lines.slice(0, verdict);
  const first = before.findLastIndex(isNote) + 1;
  const trouble = before.findIndex((line, index) => index >= first && !isCommand(line) && TROUBLE.test(line));
  return (trouble === -1 ? verdict : trouble) + 1;
}

/** What is run is written down first, and may be called after what it looks for. */
function isCommand(line: string): boolean {
  return line.startsWith('$ ');
}

export function isNote(line: string): boolean {
  return line.startsWith(NOTE);
}

function isVerdict(line: string, error: string | null): boolean {
  if (!error || !isNote(line)) return false;
  return line.slice(NOTE.length).trim() === error.trim();
}
