import manifest from '../package.json' with { type: 'json' };
import { tagDescriptions, tagOf } from './tags.ts';
import { documentComponents, hoistShared } from './openapi-components.ts';
import { errorResponsesOf, referToErrorResponses, RESPONSE_HEADERS } from './openapi-responses.ts';
import type { EndpointDeclaration } from './endpoint.ts';
import { declarationOf, endpointNames, type EndpointName } from './endpoints.ts';
import { toDocumentSchema, type JsonSchema } from './json-schema.ts';
import { possibleErrors } from './possible-errors.ts';
import { eventsOf } from './stream-events.ts';
import type { z } from 'zod';

type Json = Record<string, unknown>;

export interface OpenApiDocument extends Json {
  openapi: string;
  paths: Record<string, Record<string, Json>>;
}

/** OpenAPI 3.1 of the whole contract. */
export function openApiDocument(): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  for (const name of endpointNames) {
    const declaration = declarationOf(name);
    const path = declaration.path.replaceAll(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[declaration.method.toLowerCase()] = operationOf(name, declaration);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lilac',
      version: manifest.version,
      summary: 'A self-hosted deployment platform.',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The platform that served this document.' }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      ...documentComponents(),
      responses: errorResponsesOf(endpointNames.map((name) => possibleErrors(declarationOf(name)))),
    },
  };
}

const DESCRIPTION = [
  'Reads and writes are POST with a JSON body; the operation is in the path.',
  'Success answers the resource itself; a list with pages answers `{items, totalItems, totalPages, currentPage}`.',
  'Failure answers `{message, code}`: the code is stable, the message is for people.',
  'Body fields are never converted (`"5"` is not a number); fields that are not declared are ignored.',
  'An unknown path answers 404 `NF002`, another method than the declared one 405 `MT001` with `Allow`.',
].join('\n\n');

function operationOf(name: EndpointName, declaration: EndpointDeclaration): Json {
  const parameters = [
    ...parametersOf(declaration.params, 'path'),
    ...parametersOf(declaration.query, 'query'),
    ...headerParametersOf(declaration),
  ];
  return {
    operationId: name,
    summary: declaration.summary,
    ...(declaration.description ? { description: declaration.description } : {}),
    tags: [tagOf(name)],
    security: securityOf(declaration),
    ...extensionsOf(declaration),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(declaration.body ? { requestBody: requestBodyOf(declaration, declaration.body) } : {}),
    responses: {
      [declaration.status]: {
        description: declaration.stream ? 'Success: a stream that does not end by itself.' : 'Success.',
        headers: { ...RESPONSE_HEADERS, ...ownHeadersOf(declaration) },
        content: contentOf(declaration),
      },
      ...referToErrorResponses(possibleErrors(declaration)),
    },
  };
}

function contentOf(declaration: EndpointDeclaration): Json {
  const { output, stream } = declaration;
  if (!stream) return { 'application/json': { schema: hoistShared(toDocumentSchema(output, 'output')) } };
  const events = eventsOf(declaration).map(({ name, data }) => [name, hoistShared(toDocumentSchema(data, 'output'))]);
  const description = 'Server-sent events: `x-events` has the JSON in the `data` of each, by its name.';
  return { 'text/event-stream': { schema: { type: 'string', description, 'x-events': Object.fromEntries(events) } } };
}

function securityOf({ credential, stream }: EndpointDeclaration): Json[] {
  if (credential === 'none') return [];
  return [
    { sessionToken: [] },
    ...(credential === 'any' ? [{ apiKey: [] }] : []),
    ...(stream ? [{ sessionCookie: [] }] : []),
  ];
}

/** What OpenAPI has no words for. */
function extensionsOf(declaration: EndpointDeclaration): Json {
  const { permission, minimumRole, needsLiveSession, feature, planFeature, cli } = declaration;
  const { organisation, infersOrganisation } = declaration;
  const extensions = {
    'x-permission': permission,
    'x-minimum-role': minimumRole,
    'x-needs-live-session': needsLiveSession,
    'x-organisation': organisation,
    'x-infers-organisation': infersOrganisation,
    'x-feature-flag': feature,
    'x-plan-feature': planFeature,
    'x-cli': cli && ['lilac', ...cli].join(' '),
  };
  return Object.fromEntries(Object.entries(extensions).filter(([, value]) => value !== undefined && value !== null));
}

function requestBodyOf({ acceptsForm }: EndpointDeclaration, body: z.ZodType): Json {
  const schema = hoistShared(toDocumentSchema(body, 'input'));
  const content = { schema };
  return {
    required: (schema.required ?? []).length > 0,
    content: {
      'application/json': content,
      ...(acceptsForm ? { 'application/x-www-form-urlencoded': content } : {}),
    },
  };
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] }: JsonSchema = toDocumentSchema(schema, 'input');
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description ? { description } : {}),
    schema: rest,
  }));
}

function ownHeadersOf({ responseHeaders = [] }: EndpointDeclaration): Json {
  return Object.fromEntries(
    responseHeaders.map(({ name, description, example }) => [
      name,
      { description, required: false, schema: { type: 'string' }, example },
    ]),
  );
}

function headerParametersOf({ headers = [] }: EndpointDeclaration): Json[] {
  return headers.map(({ name, description, example }) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
    example,
  }));
}
