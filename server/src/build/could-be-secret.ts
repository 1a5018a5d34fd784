/** A name that speaks of secrets makes any value one: a plain word, a number. */
const SECRET_NAME =
  /secret|token|key|pass|pwd|auth(?!ors?(_|$))|credential|private|salt|dsn|signing|signature|cert|cookie|session|webhook|database_?url/i;

/** Shorter than this, striking a value out would leave a log of holes. */
export const MIN_LENGTH = 6;
/** The same where its name speaks of a secret, unless it is a plain short word: `AUTH_SCHEME=http`. */
export const MIN_NAMED_LENGTH = 4;
const PLAIN_SHORT = /^[a-z]{1,5}$/;

const HOST = String.raw`(([a-z][a-z-]{0,20}\d{0,2}\.)*[a-z][a-z-]{0,20}|\d{1,3}(\.\d{1,3}){3})(:\d{1,5})?`;
const PATH = String.raw`(\/[a-z@._-]{1,24}\d{0,2})*\/?`;

/**
 * Values that say nothing: striking them out would only make the log unreadable. No more than what is
 * surely plain, for tokens look like host names, paths and words too: `SG.ngeV….TwL2…`, `/bPxRfi…`.
 */
const HARMLESS = [
  // Words, two at most: frontend, My Shop. Pass phrases have more, and passwords have digits.
  /^[A-Za-z][a-z]{0,15}([ _-][A-Za-z][a-z]{0,15})?$/,
  // Numbers, versions, addresses of machines
  /^\d{1,5}$/,
  /^v?\d{1,4}(\.\d{1,3}){1,3}$/,
  // Regions, languages, zones of time
  /^[a-z]{2}-[a-z]{4,9}-\d$/,
  /^[a-z]{2}[-_][A-Z]{2}(\.UTF-8)?$/,
  /^(Africa|America|Asia|Australia|Europe|Pacific)\/[A-Z][a-z]{2,12}(_[A-Z][a-z]{2,8})?$/,
  // Paths, and addresses with neither a credential nor a query
  new RegExp(String.raw`^\.{0,2}${PATH}$`),
  new RegExp(`^(https?|wss?)://${HOST}${PATH}$`),
  new RegExp(String.raw`^(?=.*\.)${HOST}$`),
  /^localhost:\d{1,5}$/,
];

/** Whether a variable's value is to be kept out of logs. */
export function couldBeSecret(name: string, value: string): boolean {
  const text = value.trim();
  if (/^(true|false)$/i.test(text)) return false;
  if (SECRET_NAME.test(name)) return text.length >= MIN_NAMED_LENGTH && !PLAIN_SHORT.test(text);
  return text.length >= MIN_LENGTH && !HARMLESS.some((pattern) => pattern.test(text));
}
