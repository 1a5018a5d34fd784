import type { JsonSchema } from '@lilac/contract/json-schema';
import { exampleOf } from '@lilac/contract/schema-example';
import fc from 'fast-check';

/** What a field of this name may hold that means something to whoever is asked; undefined: nothing in particular. */
export type Known = (name: string) => fc.Arbitrary<unknown> | undefined;

const knowsNothing: Known = () => undefined;

/** Values that the schema takes, so that what is behind it is reached. What is known is mostly what is sent. */
export function rightValue(schema: JsonSchema, known: Known = knowsNothing): fc.Arbitrary<unknown> {
  return madeFor(schema, { name: '', known, isStrict: true });
}

/** The same, but at any depth there is now and then something else: too long, of another type, made to hurt. */
export function nearlyRightValue(schema: JsonSchema, known: Known = knowsNothing): fc.Arbitrary<unknown> {
  return madeFor(schema, { name: '', known, isStrict: false });
}

/** As a hostile client would send it: lone surrogates survive as escapes. */
export function asJson(value: unknown): string {
  return (JSON.stringify(value) ?? '').replaceAll(JSON.stringify(DEEP), '['.repeat(DEPTH) + ']'.repeat(DEPTH));
}

/** Stands for a list in a list in a list …: nobody could print or shrink the real thing. */
const DEEP = 'a very deep list';
const DEPTH = 20_000;

/** Each means something to somebody behind: a path, a query, a pattern, an escape, a prototype, a limit. */
export const TELLING = [
  '',
  ' ',
  '.',
  '..',
  '__proto__',
  'constructor',
  "'; drop table users; --",
  '"; --',
  '`',
  '$1',
  '?',
  '(',
  '[',
  '{',
  '*',
  '\\',
  '%',
  '100%',
  '%zz',
  '%E0%A4',
  '../../etc/passwd',
  'null',
  '-0',
  '1e400',
  '\u202Eevil',
  '\uD800',
  '\0',
  'x'.repeat(70_000),
];

export const wildText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('\uD800', '\uDFFF', '\0', '\\', '%', '_', '\u202E', 'é', '😀'), maxLength: 12 }),
  fc.constantFrom(...TELLING),
);

const wildNumber = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, -1, 1.5, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, Number.MIN_VALUE, Number.NaN),
);

const anything: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    wildNumber,
    wildText,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(wildText, tie('value'), { maxKeys: 4 }),
  ),
})).value;

export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: anything },
  fc.constant(DEEP),
  fc.constant([DEEP]),
);

/** Nearly the right text: in capitals, cut, doubled, with something in it that means something to somebody. */
export function distortionsOf(right: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(right, fc.constantFrom(...DISTORTIONS), fc.nat(1000)).map(([text, distort, place]) => {
    const at = place % (text.length + 1);
    return distort(text.slice(0, at), text.slice(at));
  });
}

const DISTORTIONS: ((before: string, after: string) => string)[] = [
  (before, after) => (before + after).toUpperCase(),
  (before) => before,
  (_before, after) => after,
  (before, after) => before + after + before + after,
  ...['/', '/../', '%', '\0', ' ', '.', '\u200B', ',', '_', 'x'.repeat(200)].map(
    (piece) => (before: string, after: string) => before + piece + after,
  ),
];

interface Place {
  /** Of the field; of a record's own names, `field.*`. */
  name: string;
  known: Known;
  isStrict: boolean;
}

/** One in so many is something else altogether; a body has a dozen, and most of it should be right. */
const RIGHT_OF_MANY = 14;

function valueFor(schema: JsonSchema, place: Place): fc.Arbitrary<unknown> {
  const made = madeFor(schema, place);
  return place.isStrict ? made : fc.oneof({ weight: RIGHT_OF_MANY, arbitrary: made }, hostile);
}

function madeFor(schema: JsonSchema, place: Place): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => madeFor(option, place)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  return fc.oneof(...[schema.type].flat().map((type) => ofType(type, schema, place)));
}

function ofType(type: string | undefined, schema: JsonSchema, place: Place): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'number':
    case 'integer':
      return numberFor(schema, place, type === 'integer');
    case 'array':
      return listFor(schema, place);
    case 'object':
      return objectFor(schema, place);
    case 'string':
      return textFor(schema, place);
    default:
      // It says nothing, so that anything is right, but for what no body may hold.
      return place.isStrict ? anything : hostile;
  }
}

function objectFor(schema: JsonSchema, place: Place): fc.Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(
    ([name, child]) => [name, valueFor(child, { ...place, name })] as const,
  );
  const requiredKeys = required.filter((name) => Object.hasOwn(properties, name));
  const declared = fc.record(Object.fromEntries(fields), { requiredKeys });
  return fc
    .tuple(declared, typeof additionalProperties === 'object' ? recordFor(schema, place) : undeclaredFor(place))
    .map(([fields, others]) => ({ ...others, ...fields }));
}

function undeclaredFor({ isStrict }: Place): fc.Arbitrary<object> {
  if (isStrict) return fc.constant({});
  return fc.option(fc.dictionary(wildText, hostile, { maxKeys: 2 }), { nil: {}, freq: 4 });
}

/** Names that the caller chooses, each with a value. */
function recordFor({ propertyNames, additionalProperties }: JsonSchema, place: Place): fc.Arbitrary<object> {
  const names = textFor((propertyNames ?? {}) as JsonSchema, { ...place, name: `${place.name}.*` });
  const values = valueFor(additionalProperties as JsonSchema, place);
  const usable = place.isStrict ? names.filter((name) => name !== '__proto__') : names;
  return fc.dictionary(usable, values, { maxKeys: 4 });
}

function listFor({ items, minItems = 0, maxItems = 4 }: JsonSchema, place: Place): fc.Arbitrary<unknown> {
  const item = valueFor(items && !Array.isArray(items) ? items : {}, place);
  const [fewest, most] = [Number(minItems), Number(maxItems)];
  const lists = fc.array(item, { minLength: fewest, maxLength: Math.min(most, Math.max(4, fewest)) });
  // What joins, counts or takes the first of them is wrong about none more often than about many.
  return fewest > 0 ? lists : fc.oneof({ weight: 3, arbitrary: lists }, fc.constant([]));
}

function numberFor(schema: JsonSchema, { name, known, isStrict }: Place, isWhole: boolean): fc.Arbitrary<unknown> {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
  const [min, max] = [Number(minimum), Number(maximum)];
  const usual = fc.integer({ min: Math.max(min, Math.min(0, max)), max: Math.min(max, Math.max(min, 0) + 120) });
  const any = isWhole ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true });
  const meant = known(name);
  return fc.oneof(
    ...(meant ? [{ weight: KNOWN_WEIGHT, arbitrary: meant }] : []),
    { weight: 2, arbitrary: usual },
    any,
    ...(isStrict ? [] : [wildNumber]),
  );
}

/** Where something is known, so often it is that. */
const KNOWN_WEIGHT = 16;

function textFor(schema: JsonSchema, { name, known, isStrict }: Place): fc.Arbitrary<string> {
  if (schema.format === 'date-time')
    return isStrict ? timestamp : fc.oneof({ weight: 4, arbitrary: timestamp }, wildText);
  const isRight = checkOf(schema);
  const example = exampleOf(schema, 'required', name);
  const telling = TELLING.filter(isRight);
  const meant = known(name) as fc.Arbitrary<string> | undefined;
  return fc.oneof(
    ...(meant ? [{ weight: KNOWN_WEIGHT, arbitrary: meant }] : []),
    ...(typeof example === 'string' && isRight(example) ? [{ weight: 2, arbitrary: fc.constant(example) }] : []),
    ...(telling.length > 0 ? [fc.constantFrom(...telling)] : []),
    { weight: 2, arbitrary: madeTextFor(schema).filter(isRight) },
    ...(isStrict ? [] : [wildText, ...(meant ? [distortionsOf(meant)] : [])]),
  );
}

function madeTextFor({ pattern, minLength = 0, maxLength = 64 }: JsonSchema): fc.Arbitrary<string> {
  // Of the usual size none would be as long as some must be.
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern as string), { size: '+1' });
  const bounds = { minLength: Number(minLength), maxLength: Math.min(Number(maxLength), Number(minLength) + 60) };
  return fc.oneof(fc.string({ unit: 'grapheme', ...bounds }), fc.string({ unit: 'binary', ...bounds }));
}

export function isRightText(schema: JsonSchema, text: string): boolean {
  return checkOf(schema)(text);
}

/** A zero is never right: the store cannot keep it, and whatever holds one is refused as a whole. */
function checkOf({ pattern, minLength = 0, maxLength = Infinity }: JsonSchema): (text: string) => boolean {
  const form = pattern === undefined ? null : new RegExp(pattern as string, 'u');
  return (text) => {
    const length = Array.from(text).length;
    return (
      length >= Number(minLength) && length <= Number(maxLength) && !text.includes('\0') && (form?.test(text) ?? true)
    );
  };
}

const timestamp = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
