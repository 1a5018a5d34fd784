import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault, invalid } from '../lib/fault.ts';

export const MAX_BODY_BYTES = 1024 * 1024;

/** Who may send a form: OAuth clients, where the declaration says so. Everybody else sends JSON. */
export function addBodyParsers(app: FastifyInstance, acceptsForm: (request: FastifyRequest) => boolean): void {
  // Fields named __proto__ and the like are never assigned. In the body itself they are unknown fields, and ignored.
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'string', bodyLimit: MAX_BODY_BYTES } as const;
  app.addContentTypeParser('application/json', options, (request, text: string, done) => {
    if (text === '') return done(null, undefined);
    if (text.includes(String.raw`\u0000`) && ESCAPED_NUL.test(text)) return done(nulRefused());
    void parseJson(request, text, (error, body) => {
      if (error) return done(new Fault('VA002'));
      if (text.length > 2 * DEEPEST && isTooDeep(body)) return done(depthRefused());
      if (PROTO.test(text) && holdsProto(JSON.parse(text))) return done(protoRefused());
      done(null, body);
    });
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', options, (request, text: string, done) => {
    if (!acceptsForm(request)) return done(new Fault('MT002'));
    const fields = Object.fromEntries(new URLSearchParams(text));
    if (holdsNul(fields)) return done(nulRefused());
    done(null, fields);
  });
}

/** Nobody means more. Drivers of databases, and JSON itself when it is written, call themselves for every level. */
const DEEPEST = 500;

/** Level by level: what is nested deeply must not use up the stack here either. */
function isTooDeep(body: unknown): boolean {
  let level = isObject(body) ? [body] : [];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) level = level.flatMap(objectsIn);
  return level.length > 0;
}

function depthRefused(): Fault {
  return invalid(`The body is nested more than ${DEEPEST} levels deep.`);
}

/** The name as JSON may write it, any of its characters escaped. */
const PROTO = new RegExp(`"${Array.from('__proto__', escapable).join('')}"\\s*:`, 'i');

function escapable(character: string): string {
  return String.raw`(?:${character}|\\u00${character.charCodeAt(0).toString(16)})`;
}

/**
 * Whether anything inside the body has a field of that name: it may be one whose name the caller chose
 * (a variable), and that must not be lost without a word.
 */
function holdsProto(body: unknown): boolean {
  const waiting = objectsIn(body);
  // It grows as it is walked: what is nested deeply must not use up the stack.
  for (const next of waiting) {
    if (Object.hasOwn(next, '__proto__')) return true;
    for (const inner of objectsIn(next)) waiting.push(inner);
  }
  return false;
}

function objectsIn(value: unknown): object[] {
  return isObject(value) ? Object.values(value).filter(isObject) : [];
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function protoRefused(): Fault {
  return invalid('"__proto__" cannot be used as a name, not even of a variable.');
}

/** `\u0000` that is an escape: an odd number of backslashes. JSON has no other way to write the character. */
const ESCAPED_NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/** PostgreSQL stores every character but this one. */
export function holdsNul(fields: object): boolean {
  return Object.entries(fields).some((entry) =>
    entry.flat().some((text) => typeof text === 'string' && text.includes('\0')),
  );
}

export function nulRefused(): Fault {
  return invalid('The input holds the character U+0000, which cannot be stored.');
}
