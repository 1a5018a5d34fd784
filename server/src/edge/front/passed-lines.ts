/** Meant for the next hop only (RFC 9110, 7.6.1): every connection has its own. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'];
/** What a client says about itself here is never passed on: only the edge knows who it is. */
const ABOUT_THE_CLIENT = ['forwarded', 'x-real-ip', 'x-lilac-probe'];
/** Written anew where it holds. */
const WISHES = ['expect'];
const CUT_FROM_REQUESTS = new Set([...HOP_BY_HOP, ...ABOUT_THE_CLIENT, ...WISHES]);
/** By the last, answers of the edge are told from an instance's own. */
const CUT_FROM_ANSWERS = new Set([...HOP_BY_HOP, 'proxy-connection', 'proxy-authenticate', 'x-lilac-error']);

/** In the name of a header, and taken for a `-` by somebody. */
const UNUSUAL = /[^a-z0-9-]/;
const EVERY_UNUSUAL = new RegExp(UNUSUAL, 'g');

/** What a scanner has to be interested in, so that nothing that is cut goes by unseen. */
export const SCANNED_IN_REQUESTS = [...CUT_FROM_REQUESTS, 'x-forwarded-*', 'proxy*'];
export const SCANNED_IN_ANSWERS = [...CUT_FROM_ANSWERS];

/** These belong to the message, whatever `Connection` says of them. */
const NEVER_NAMED = new Set(['host', 'content-length', 'content-type', 'authorization', 'cookie', 'origin']);

/**
 * Whether a header of a request stays with the edge. Many servers take `_` for `-`, and some (PHP) whatever is no
 * letter and no digit, so that a header with the one would be taken for what the edge says with the other.
 */
export function isCutFromRequests(lowerCaseName: string): boolean {
  if (!UNUSUAL.test(lowerCaseName)) return isReserved(lowerCaseName);
  const name = lowerCaseName.replaceAll(EVERY_UNUSUAL, '-');
  return isReserved(name) || name === 'content-length' || name === 'host';
}

export function isCutFromAnswers(lowerCaseName: string): boolean {
  return CUT_FROM_ANSWERS.has(lowerCaseName);
}

function isReserved(name: string): boolean {
  return (
    CUT_FROM_REQUESTS.has(name) || name === 'proxy' || name.startsWith('proxy-') || name.startsWith('x-forwarded-')
  );
}

/** The text without the parts between each pair of positions. */
export function withoutParts(text: string, from: number, cuts: readonly number[]): string {
  let kept = '';
  let at = from;
  for (let cut = 0; cut < cuts.length; cut += 2) {
    if (cuts[cut]! > at) kept += text.slice(at, cuts[cut]);
    at = cuts[cut + 1]!;
  }
  return at < text.length ? kept + text.slice(at) : kept;
}

/** A sender may name further headers that are for the next hop only (RFC 9110, 7.6.1). */
export function withoutNamed(lines: string, options: readonly string[]): string {
  const named = new Set(options.filter((name) => name !== '' && !NEVER_NAMED.has(name)));
  const isKept = (line: string) => !named.has(line.slice(0, line.indexOf(':')).toLowerCase());
  return lines.split('\r\n').filter(isKept).join('\r\n');
}

/** Options that name no header. */
const PLAIN_OPTIONS = new Set(['', 'close', 'keep-alive', 'upgrade', 'te']);

export function connectionOptions(list: string): string[] {
  return list.split(',').map((option) => trimmed(option, 0, option.length).toLowerCase());
}

export function namesHeaders(options: readonly string[]): boolean {
  return options.some((option) => !PLAIN_OPTIONS.has(option));
}

/** A part of a text without the blanks around it: those of HTTP, which are fewer than a language's own. */
export function trimmed(text: string, from: number, to: number): string {
  let [start, end] = [from, to];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}
