import type { Explained } from './explain-error.ts';

/** What went wrong, on standard error: lines for people, one line of JSON for programs. */
export function complaint({ code, lines, more }: Explained, isJson: boolean): string {
  const [message = '', ...next] = lines;
  if (isJson) return `${JSON.stringify({ error: { code, message, ...(next.length > 0 && { next }), ...more } })}\n`;
  const said = more ? [`${message} (${code})`, ...next] : lines;
  return `lilac: ${said.join('\n')}\n`;
}
