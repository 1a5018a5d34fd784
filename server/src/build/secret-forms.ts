import { MIN_LENGTH, MIN_NAMED_LENGTH } from './could-be-secret.ts';

/** A text in which a secret may be printed. */
export interface SecretForm {
  text: string;
  /** Where it is longer than twice this, a part of so many characters gives it away. */
  partLength: number;
}

/** Shorter ones turn up by chance. */
const MIN_ENCODED_LENGTH = MIN_LENGTH;
/** Parts of a readable value may be anybody's, `https://www.googleapis.com/`: they must be long. */
const READABLE_PART = 32;
const ENCODED_PART = 16;
/** From here on there are many parts, and a line of a wrapped text still has one of the longer ones. */
const LARGE_LENGTH = 2048;
/** Where `base64` and `openssl base64` break their lines. */
const WRAPPED_AT = [76, 64];

/** How programs print a value, one line of it at a time. With pauses: of a large one each form takes a while. */
export function* formsOf(value: string): Generator<void, SecretForm[]> {
  const texts = [...new Set([value, value.trim()])];
  const lines = value.split(/\r\n|\n|\r/).map((line) => line.trim());
  const readable = new Set(lines.filter((line) => line.length >= MIN_LENGTH));
  const encoded = new Set<string>();
  for (const text of texts) {
    for (const form of quotedForms(text)) {
      if (form.length >= MIN_NAMED_LENGTH) readable.add(form);
      yield;
    }
    for (const form of encodedForms(text)) {
      if (form.length >= MIN_ENCODED_LENGTH) encoded.add(form);
      yield;
    }
  }
  return [
    ...Array.from(readable, (text) => ({ text, partLength: READABLE_PART })),
    ...Array.from(encoded, (text) => ({ text, partLength: text.length < LARGE_LENGTH ? ENCODED_PART : READABLE_PART })),
  ].filter(({ text }) => !/[\n\r]/.test(text));
}

/** As it is, and as shells, JSON, JavaScript, Python and addresses write it. */
function* quotedForms(value: string): Generator<string> {
  yield value;
  const json = JSON.stringify(value).slice(1, -1);
  yield json;
  yield json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const unquoted = json.replaceAll(String.raw`\"`, '"');
  yield unquoted;
  yield unquoted.replaceAll("'", String.raw`\'`);
  yield value.replaceAll("'", String.raw`'\''`);
  yield value.replaceAll(/[\\"$`]/g, String.raw`\$&`);
  // A lone half of a character pair has no such form.
  const percent = encodeURIComponent(value.toWellFormed());
  yield percent;
  yield percent.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  yield new URLSearchParams({ '': value }).toString().slice(1);
}

function* encodedForms(value: string): Generator<string> {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  yield hex;
  yield hex.toUpperCase();
  for (const base64 of base64Forms(bytes)) {
    yield base64;
    yield forAddresses(base64);
  }
}

function* base64Forms(bytes: Buffer): Generator<string> {
  const whole = bytes.toString('base64');
  yield whole;
  yield whole.replace(/=+$/, '');
  for (const shift of [0, 1, 2]) yield base64Inside(bytes, shift);
  yield* lastLines(whole);
}

/** What base64 of any text has of these bytes in it when so many (mod 3) stand before them: `user:secret`. */
function base64Inside(bytes: Buffer, shift: number): string {
  const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
  // The characters at either end hold bits of the neighbours too.
  return shifted.toString('base64').slice(Math.ceil((shift * 4) / 3), Math.floor((shifted.length * 4) / 3));
}

/** Of a wrapped text the last line alone may be too short to be known for a part. */
function lastLines(base64: string): string[] {
  return WRAPPED_AT.filter((width) => base64.length > width).map((width) =>
    base64.slice(base64.length - (base64.length % width || width)),
  );
}

function forAddresses(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}
