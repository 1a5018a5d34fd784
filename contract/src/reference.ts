import type { z } from 'zod';
import type { EndpointDeclaration } from './endpoint.ts';
import { declarationOf, endpointNames, type EndpointName } from './endpoints.ts';
import { errorCatalogue, type ErrorCode } from './errors.ts';
import { toDocumentSchema, type JsonSchema } from './json-schema.ts';
import { possibleErrors } from './possible-errors.ts';
import { exampleOf } from './schema-example.ts';
import type { RequestHeader } from './request-headers.ts';
import { eventsOf } from './stream-events.ts';
import { alternativesOf, fieldsOf, typeOf, type Field } from './schema-fields.ts';
import { tagDescriptions, tagOf, type Tag } from './tags.ts';

/** The contract as a reader wants it: the page at /docs and docs/reference/api.md are two prints of this. */
export interface ReferenceSection {
  tag: Tag;
  description: string;
  endpoints: EndpointReference[];
}

export interface EndpointReference {
  name: EndpointName;
  method: string;
  path: string;
  summary: string;
  description: string | null;
  /** Who may call, one statement each. */
  access: string[];
  parameters: Field[];
  headers: readonly RequestHeader[];
  body: Field[];
  acceptsForm: boolean;
  status: number;
  /** One, or several where the answer is one of them. */
  answers: AnswerShape[];
  errors: { code: ErrorCode; status: number; message: string }[];
  cli: string | null;
  /** A command line that calls it. */
  example: string;
}

export interface AnswerShape {
  /** Which event of a stream it is; null where it is the whole answer. */
  event: string | null;
  /** `object`, or what the list holds. */
  type: string;
  fields: Field[];
}

/**
 * What the examples take from the shell: the variables of the command line. They are a key's examples, since a
 * key needs no organisation; where only a person may call, they name one.
 */
export function exampleSettingsAt(url: string): string {
  const assignments = [`export LILAC_API_URL=${url}`, 'export LILAC_TOKEN=lc_...'];
  const remarks = ['where the platform is', 'an API key; with a session token, add targetOrganisationId to the body'];
  const width = Math.max(...assignments.map(({ length }) => length));
  return assignments.map((assignment, index) => `${assignment.padEnd(width)}  # ${remarks[index]}`).join('\n');
}

/** At the address that a platform has before anything is set. */
export const exampleSettings = exampleSettingsAt('http://localhost:7080');

export function referenceSections(): ReferenceSection[] {
  return (Object.keys(tagDescriptions) as Tag[]).map((tag) => ({
    tag,
    description: tagDescriptions[tag],
    endpoints: endpointNames.filter((name) => tagOf(name) === tag).map(referenceOf),
  }));
}

function referenceOf(name: EndpointName): EndpointReference {
  const declaration = declarationOf(name);
  return {
    name,
    method: declaration.method,
    path: declaration.path,
    summary: declaration.summary,
    description: declaration.description ?? null,
    access: accessOf(declaration),
    parameters: [...inputFields(declaration.params), ...inputFields(declaration.query)],
    headers: declaration.headers ?? [],
    body: inputFields(declaration.body),
    acceptsForm: declaration.acceptsForm ?? false,
    status: declaration.status,
    answers: answersOf(declaration),
    errors: possibleErrors(declaration).map((code) => ({ code, ...errorCatalogue[code] })),
    cli: declaration.cli && ['lilac', ...declaration.cli].join(' '),
    example: exampleCall(declaration),
  };
}

export function answerTitle({ status, answers }: EndpointReference, index: number): string {
  const event = answers[index]?.event ?? null;
  if (event !== null) return `Event ${event}`;
  return `${index === 0 ? 'Answer' : 'Or'} ${status}`;
}

function answersOf(declaration: EndpointDeclaration): AnswerShape[] {
  if (declaration.stream) return eventsOf(declaration).map(({ name, data }) => answerOf(schemaOf(data), name));
  return alternativesOf(schemaOf(declaration.output)).map((shape) => answerOf(shape, null));
}

const schemaOf = (output: z.ZodType): JsonSchema => toDocumentSchema(output, 'output');

function answerOf(shape: JsonSchema, event: string | null): AnswerShape {
  return { event, type: typeOf(shape), fields: fieldsOf(shape) };
}

function accessOf(declaration: EndpointDeclaration): string[] {
  const { credential, permission, minimumRole, needsLiveSession, planFeature, feature, stream } = declaration;
  const who = { none: 'no credential', session: 'session token', any: 'session token or API key' }[credential];
  const statements = [stream ? `${who}, or the session's cookie` : who];
  if (needsLiveSession) statements.push('session not ended');
  if (permission) statements.push(permission);
  if (minimumRole) statements.push(`role ${minimumRole}`);
  if (planFeature) statements.push('paid plan');
  if (feature) statements.push(`feature ${feature}`);
  return statements;
}

function inputFields(schema: z.ZodType | undefined): Field[] {
  return schema ? fieldsOf(toDocumentSchema(schema, 'input')) : [];
}

function exampleCall({ method, path, credential, organisation, stream, ...input }: EndpointDeclaration): string {
  // Where a stream goes on is not for its first call.
  const { query, headers = [], body } = stream ? { ...input, headers: [] } : input;
  const search = query ? searchOf(exampleOf(toDocumentSchema(query, 'input')) as Record<string, string>) : '';
  const place = path.replaceAll(/:(\w+)/g, (_whole, name: string) => exampleText(name));
  const lines = [
    `curl ${stream ? '-N ' : ''}${method === 'GET' ? '' : `-X ${method} `}"$LILAC_API_URL${place}${search}"`,
  ];
  if (credential !== 'none') lines.push('-H "Authorization: Bearer $LILAC_TOKEN"');
  lines.push(...headers.map(({ name, example }) => `-H '${name}: ${example}'`));
  if (body) {
    const example = exampleOf(toDocumentSchema(body, 'input')) as object;
    const isPersons = organisation !== null && credential === 'session';
    const named = isPersons ? { targetOrganisationId: exampleText('targetOrganisationId') } : {};
    lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify({ ...named, ...example })}'`);
  }
  return lines.join(' \\\n  ');
}

const searchOf = (fields: Record<string, string>): string =>
  Object.keys(fields).length === 0 ? '' : `?${new URLSearchParams(fields)}`;

const exampleText = (name: string): string => exampleOf({ type: 'string' }, 'all', name) as string;
