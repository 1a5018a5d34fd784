/** What stands in place of a secret. */
const REDACTED = '[redacted]';

/**
 * Names whose values nobody may read in a log, whatever stands around them: `refreshToken`, `x-api-key`, `PGPASSWORD`.
 */
const SECRET_WORDS =
  'passw(?:or)?d|passphrase|secret|token|authorization|cookie|credential|api[-_]?key|private[-_]?key|database[-_]?url';
const SECRET_NAME = new RegExp(SECRET_WORDS, 'i');
/** Whose keys may be read, and whose values may not. */
const HOLDS_VARIABLES = /^(variables|environmentVariables|env|vars)$/i;

/**
 * A header of which everything up to the line's end is secret: a cookie has many parts. In quotes it is a value like
 * others.
 */
const HEADERS = /\b((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s*[:=]\s*)(?!["'\s])[^\n]+/gi;
const CREDENTIALS = /\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi;
const NAMED_VALUES = new RegExp(
  // Bounded, so that a long word does not take for ever.
  String.raw`([\w.-]{0,40}(?:${SECRET_WORDS})[\w.-]{0,40})(["']?\s*[:=]\s*)("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,;&"'(){}\[\]]+)`,
  'gi',
);
/** User and password of an address. */
const ADDRESSES = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@"'<>]+@/gi;
const API_KEYS = /\b(lc_[0-9A-Za-z]{12}_)[0-9A-Za-z]{38}\b/g;
const SESSION_TOKENS = /\beyJ[\w-]{8,500}\.[\w-]{8,4000}\.[\w-]{8,1000}/g;
/** As `newToken` makes them: 32 random bytes as base64url. */
const RANDOM_TOKENS = /(?<![\w/+=-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{43}(?![\w/+=-])/g;

/** Text that somebody else wrote, as it may be kept: what looks like a secret is struck out. */
export function redactText(text: string): string {
  return text
    .replaceAll(HEADERS, `$1$2${REDACTED}`)
    .replaceAll(CREDENTIALS, `$1 ${REDACTED}`)
    .replaceAll(ADDRESSES, `$1${REDACTED}@`)
    .replaceAll(NAMED_VALUES, `$1$2${REDACTED}`)
    .replaceAll(API_KEYS, `$1${REDACTED}`)
    .replaceAll(SESSION_TOKENS, REDACTED)
    .replaceAll(RANDOM_TOKENS, REDACTED);
}

/** The same for a whole value, however deep: what a secret's name names, and what looks like one in any text. */
export function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactNamed(name, inner)]));
}

function redactNamed(name: string, value: unknown): unknown {
  // How many there are, or whether there is one, is no secret.
  const isHarmless = typeof value === 'number' || typeof value === 'boolean' || value === null;
  if (SECRET_NAME.test(name) && !isHarmless) return REDACTED;
  if (!HOLDS_VARIABLES.test(name) || typeof value !== 'object' || value === null) return redactValue(value);
  return Object.fromEntries(Object.keys(value).map((key) => [key, REDACTED]));
}
