import type { z } from 'zod';
import { session, tokenPair, userProfile } from './account-shapes.ts';
import { listedApplication } from './application-shapes.ts';
import { errorBody, message } from './common-shapes.ts';
import { errorCatalogue } from './errors.ts';
import { toDocumentSchema, type JsonSchema } from './json-schema.ts';
import { apiKey, invitation, member, organisation, project } from './organisation-shapes.ts';

/** The shapes that have a name in the document. */
const namedShapes: Record<string, z.ZodType> = {
  Application: listedApplication,
  Folder: project,
  ApiKey: apiKey,
  Organisation: organisation,
  Member: member,
  Invitation: invitation,
  UserProfile: userProfile,
  Session: session,
  TokenPair: tokenPair,
  Message: message,
  Error: errorBody,
};

const schemas = Object.fromEntries(
  Object.entries(namedShapes).map(([name, shape]) => [name, toDocumentSchema(shape, 'output')]),
);
const nameByContent = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]));

/** Puts a reference wherever a named shape stands. */
export function hoistShared(schema: JsonSchema): JsonSchema {
  const name = nameByContent.get(JSON.stringify(schema));
  if (name) return { $ref: `#/components/schemas/${name}` };
  const hoisted = { ...schema };
  if (schema.anyOf) hoisted.anyOf = schema.anyOf.map(hoistShared);
  if (schema.items && !Array.isArray(schema.items)) hoisted.items = hoistShared(schema.items);
  if (schema.properties) {
    hoisted.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, child]) => [key, hoistShared(child)]),
    );
  }
  return hoisted;
}

export function documentComponents(): Record<string, unknown> {
  return {
    securitySchemes: {
      sessionToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'A signed-in person, for 15 minutes. `targetOrganisationId` says for which organisation.',
      },
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'lc_<id>_<secret>',
        description: 'A key of one organisation, on plans that include keys. The organisation need not be named.',
      },
      sessionCookie: {
        type: 'apiKey',
        in: 'cookie',
        name: '__Host-lc_rt',
        description:
          "What a browser holds of a signed-in person's session. Streams take it, for pages of the platform. " +
          'At a port of its own the name ends with it (`__Host-lc_rt_7080`); on plain http it begins with `lc_rt`.',
      },
    },
    schemas,
    headers,
    examples: Object.fromEntries(
      Object.entries(errorCatalogue).map(([code, { message }]) => [code, { summary: code, value: { message, code } }]),
    ),
  };
}

const header = (description: string, type: 'integer' | 'string') => ({ description, schema: { type } });

const headers = {
  'RateLimit-Limit': header('How many requests an address may make in a window.', 'integer'),
  'RateLimit-Remaining': header('How many are left in this window.', 'integer'),
  'RateLimit-Reset': header('Seconds until the window ends.', 'integer'),
  'RateLimit-Policy': header('The limit and its window in seconds, as `5000;w=600`.', 'string'),
  'Retry-After': header('Seconds to wait before trying again.', 'integer'),
  'X-Request-Id': header('Names this request; tell it when you report a problem.', 'string'),
};
