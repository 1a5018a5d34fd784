import { CUT_MARK } from '../sandbox/split-lines.ts';
import { couldBeSecret } from './could-be-secret.ts';
import { createBreather } from '../lib/breather.ts';
import { atOnce, inSlices } from '../lib/in-slices.ts';
import type { Span } from './marks.ts';
import { PatternIndex } from './pattern-index.ts';
import { formsOf, type SecretForm } from './secret-forms.ts';

/** Strikes secrets out of a line. */
export interface Redact {
  (line: string): string;
  /** The same, where nobody may have to wait for a long line. */
  inSlices(line: string): Promise<string>;
}

/** What takes the place of a secret. */
const REDACTED = '[redacted]';

// oxlint-disable-next-line no-control-regex
const COLOUR = /\x1b\[[\d;:]*m/g;

/**
 * Makes the function that strikes secrets out of a line, in the forms in which programs print them. It
 * guards against accidents: a build that wants to tell its secrets can always write them in a way that
 * nobody knows beforehand, backwards, compressed, a character a line, or into the site itself.
 */
export function createRedactor(variables: Readonly<Record<string, string>>): Redact {
  return atOnce(makeRedactor(variables));
}

/** The same where others must not wait for it: of half a mebibyte of variables it takes a while. */
export function prepareRedactor(variables: Readonly<Record<string, string>>): Promise<Redact> {
  return inSlices(makeRedactor(variables));
}

/** A few lines, of variables that nothing else is made of. The others do not wait for it either. */
export async function redactLines(
  lines: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<string[]> {
  if (lines.length === 0) return [];
  const breathe = createBreather();
  const redactLine = await prepareRedactor(variables);
  const redacted: string[] = [];
  for (const line of lines) {
    redacted.push(await redactLine.inSlices(line));
    await breathe();
  }
  return redacted;
}

function* makeRedactor(variables: Readonly<Record<string, string>>): Generator<void, Redact> {
  const forms: SecretForm[] = [];
  for (const [name, value] of Object.entries(variables)) {
    for (const [called, text] of [[name, value] as const, ...passwordsIn(value)]) {
      if (couldBeSecret(called, text)) for (const form of yield* formsOf(text)) forms.push(form);
      yield;
    }
  }
  const index = yield* PatternIndex.of(forms);
  const isNothing = index.isEmpty;
  return Object.assign((line: string) => (isNothing ? line : atOnce(redact(line, index))), {
    inSlices: async (line: string) => (isNothing ? line : inSlices(redact(line, index))),
  });
}

/** The same for an error on its way to people and logs: it stays what it is, with what caused it. */
export function redactError<T>(error: T, strikeOut: (line: string) => string): T {
  if (!(error instanceof Error)) return error;
  for (const name of new Set(['message', 'stack', ...Object.keys(error)])) {
    const text: unknown = Reflect.get(error, name);
    if (typeof text !== 'string') continue;
    const value = text.split('\n').map(strikeOut).join('\n');
    // Some errors have a message that cannot be assigned.
    if (value !== text) Object.defineProperty(error, name, { value, configurable: true, writable: true });
  }
  redactError(error.cause, strikeOut);
  return error;
}

function* redact(line: string, index: PatternIndex): Generator<void, string> {
  const plain = line.replaceAll(COLOUR, '');
  const spans = yield* index.search(plain);
  const struck = line.endsWith(CUT_MARK) ? withEnd(spans, plain.length - CUT_MARK.length, index.longest) : spans;
  if (struck.length === 0) return line;
  return plain.length === line.length ? strike(line, struck) : strikeColoured(line, struck);
}

/** What a line was cut in is not known any more for what it was. */
function withEnd(spans: readonly Span[], end: number, length: number): Span[] {
  const start = Math.max(0, end - length);
  const before = spans.filter((span) => span.start < start);
  const last = before.at(-1);
  if (last && last.end >= start) return [...before.slice(0, -1), { start: last.start, end }];
  return [...before, { start, end }];
}

function strike(text: string, spans: readonly Span[]): string {
  let result = '';
  let at = 0;
  for (const { start, end } of spans) {
    result += text.slice(at, start) + REDACTED;
    at = end;
  }
  return result + text.slice(at);
}

/** The spans count without the colours; those inside one stay, or what follows would have another. */
function strikeColoured(line: string, spans: readonly Span[]): string {
  let result = '';
  let at = 0;
  let next = 0;
  const take = (text: string) => {
    const end = at + text.length;
    for (; next < spans.length && spans[next]!.start < end; next++) {
      const { start, end: spanEnd } = spans[next]!;
      if (start >= at) result += text.slice(text.length - (end - at), text.length - (end - start)) + REDACTED;
      at = Math.min(end, spanEnd);
      if (spanEnd > end) return;
    }
    result += text.slice(text.length - (end - at));
    at = end;
  };
  let from = 0;
  for (const colour of line.matchAll(COLOUR)) {
    take(line.slice(from, colour.index));
    result += colour[0];
    from = colour.index + colour[0].length;
  }
  take(line.slice(from));
  return result;
}

/** Of `postgresql://user:password@host`, the password is printed alone too. */
function passwordsIn(value: string): [name: string, password: string][] {
  const password = URL.parse(value)?.password;
  if (!password) return [];
  try {
    return [password, decodeURIComponent(password)].map((form) => ['password', form]);
  } catch {
    return [['password', password]];
  }
}
