/** Folders in which the tool that made them names every file by its content. */
const HASHED_FOLDERS = ['/_astro/', '/_next/static/', '/_app/immutable/'];
/** What stands behind the hash in `main.3f9c1a2b.chunk.js.map`. */
const AFTER_HASH = new Set('js mjs cjs css map chunk min bundle module lean LICENSE legacy'.split(' '));
/** What bundlers name so; a report or an archive with such a name was named by somebody. */
const HASHED_TYPES =
  /\.(?:[cm]?js|css|map|wasm|woff2?|ttf|otf|eot|png|jpe?g|gif|svg|webp|avif|ico|mp[34]|m4[av]|webm|og[gva]|wav|flac|aac|mov|LICENSE\.txt)$/i;
/** What people hardly name themselves: pictures and films, they do. */
const CODE_TYPES = /\.(?:[cm]?js|css|map|wasm|woff2?|ttf|otf|eot|LICENSE\.txt)$/i;
/** Where Vite, Rollup, esbuild and their like write what they name so. */
const BUNDLER_FOLDER = /\/(?:_?assets|_?build|_?chunks|_nuxt|entries|media)\//;
/** What esbuild and Angular call the files themselves: nobody else does, and puts such a word behind. */
const ESBUILD_NAME = /^(?:chunk|main|polyfills|scripts|styles)-[A-Z2-7]{8}$/;
/** `1feb2024`, `2024dec24`: the months that are hexadecimal. */
const HEX_DATE = /^(?:\d{0,2}(?:feb|dec)(?:\d\d){1,2}|(?:\d\d){1,2}(?:feb|dec)\d{0,2})$/i;
/** A year or another number, or a month beside one: `Q3FY2425`, `24Dec25a`. Chance rarely makes them. */
const DATE_LIKE =
  /\d{4}|\d(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\d/i;
/** A year that stands alone: `2024a01b`. */
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;
/** Letters without a vowel that are words nevertheless. */
const ABBREVIATIONS = new Set(
  'BMW CMS CSS CSV DNS DVD FPS FTP GHZ GPS HTML HTTP HTTPS JPG LTD LTS MHZ MVP NYC PCB PDF PNG RGB SDK SQL SSH SVG TCP TXT USB VPN XML XXL'.split(
    ' ',
  ),
);
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/**
 * Whether a file's name carries a hash of its content as bundlers write it, so that it may be kept for
 * ever. Where that is not certain the answer is no: a file wrongly kept is stale until the visitor
 * clears their cache, one wrongly not kept costs a short question.
 */
export function hasHashedName(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/\.html?$/i.test(name) || !name.includes('.')) return false;
  if (HASHED_FOLDERS.some((folder) => path.includes(folder))) return true;
  if (/\/static\/[0-9a-f]{32}\//.test(path)) return true;
  if (UUID.test(name) || !HASHED_TYPES.test(name)) return false;
  const stem = stemOf(name);
  const neededOddness = oddnessNeeded(path);
  if (isLongHex(stem) || (/\/_nuxt\//.test(path) && isHash(stem, neededOddness))) return true;
  return ESBUILD_NAME.test(stem) ? isBase32(stem.slice(-8)) : endings(stem).some((text) => isHash(text, neededOddness));
}

/** How much a word must look like nobody's: the less a bundler is likely, the more. */
function oddnessNeeded(path: string): number {
  const isBundlers = BUNDLER_FOLDER.test(path);
  if (CODE_TYPES.test(path)) return isBundlers ? 1 : 2;
  return isBundlers ? 2 : Infinity;
}

/** Without the extension and whatever else may stand behind a hash. */
function stemOf(name: string): string {
  const parts = name.split('.').slice(0, -1);
  while (parts.length > 1 && AFTER_HASH.has(parts.at(-1)!)) parts.pop();
  return parts.join('.');
}

/** What may be the hash: all behind the last `-` or `.`, or eight characters, since a hash may hold `-` itself. */
function endings(stem: string): string[] {
  const last = /[^.-][.-]([A-Za-z0-9_]+)$/.exec(stem)?.[1];
  const eight = /[^.-][.-]([A-Za-z0-9_-]{8})$/.exec(stem)?.[1];
  return [last, eight].filter((ending) => ending !== undefined);
}

function isHash(text: string, neededOddness: number): boolean {
  if (isHex(text)) return true;
  // Capitals alone are odd in fewer ways.
  if (isBase32(text)) return oddness(text) >= neededOddness / 2;
  return isBase64(text) && oddness(text) >= neededOddness;
}

function isLongHex(text: string): boolean {
  return text.length >= 20 && isHex(text);
}

/** Of which bundlers and digests have: eight of webpack, up to 128 of SHA-512. */
const HEX_LENGTHS = new Set([8, 10, 12, 16, 20, 24, 32, 40, 56, 64, 96, 128]);

/** webpack, Parcel, Angular, Rails: `3f9c1a2b` and longer; not a date, a number or a word with a year. */
function isHex(text: string): boolean {
  if (!HEX_LENGTHS.has(text.length) || !/^(?:[0-9a-f]+|[0-9A-F]+)$/.test(text) || HEX_DATE.test(text)) return false;
  if (text.length === 8 && YEAR.test(text)) return false;
  return /[a-f]/i.test(text) && pieces(text) >= 3;
}

/** esbuild: `5KXQ7ZJP`. */
function isBase32(text: string): boolean {
  return /^[A-Z2-7]{8}$/.test(text) && /[2-7]/.test(text) && !DATE_LIKE.test(text) && pieces(text) >= 3;
}

/** Rollup and Vite: `DkJ3x9aZ`, `BWd_3-xY`, and one in five without a digit: `BfQhKjYz`. */
function isBase64(text: string): boolean {
  return (
    /^[A-Za-z0-9_-]{8}$/.test(text) &&
    /[A-Z]/.test(text) &&
    /[a-z]/.test(text) &&
    !/[a-z]{4}/.test(text) &&
    !DATE_LIKE.test(text) &&
    pieces(text) >= text.length / 2
  );
}

/**
 * In how many places chance is at work rather than a person: `Q1FY25v2` and `Win32x64` are odd in none,
 * `DkJ3x9aZ` in three.
 */
function oddness(text: string): number {
  const unspoken = text.match(/(?<![A-Z])[B-DF-HJ-NP-TV-XZ]{3,}(?![a-z])/g) ?? [];
  return (
    unspoken.filter((run) => !ABBREVIATIONS.has(run)).length +
    // A word without a vowel, a capital that ends one, one that follows a lone consonant.
    (text.match(/[A-Z][b-df-hj-np-tv-xz]{1,3}(?![a-z])/g)?.length ?? 0) +
    (text.match(/[a-z][A-Z](?![A-Za-z])/g)?.length ?? 0) +
    (text.match(/(?<![A-Za-z])[b-df-hj-np-z][A-Z]/g)?.length ?? 0)
  );
}

/** Of how many words and numbers it seems to be made: `Version2` of two, `DkJ3x9aZ` of seven. */
function pieces(text: string): number {
  return text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g)?.length ?? 0;
}
