import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault, invalid } from '../lib/fault.ts';

export const MAX_BODY_BYTES = 1024 * 1024;

/** Who may send a form: OAuth clients, where the declaration says so. Everybody else sends JSON. */
export function addBodyParsers(app: FastifyInstance, acceptsForm: (request: FastifyRequest) => boolean): void {
  // Fields named __proto__ and the like are unknown fields: ignored, never assigned.
  const parseJson = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'string', bodyLimit: MAX_BODY_BYTES } as const;
  app.addContentTypeParser('application/json', options, (request, text: string, done) => {
    if (text === '') return done(null, undefined);
    if (text.includes(String.raw`\u0000`) && ESCAPED_NUL.test(text)) return done(nulRefused());
    void parseJson(request, text, (error, body) => (error ? done(new Fault('VA002')) : done(null, body)));
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', options, (request, text: string, done) => {
    if (!acceptsForm(request)) return done(new Fault('MT002'));
    const fields = Object.fromEntries(new URLSearchParams(text));
    if (holdsNul(fields)) return done(nulRefused());
    done(null, fields);
  });
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
