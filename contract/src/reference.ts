import type { z } from 'zod';
import type { EndpointDeclaration } from './endpoint.ts';
import { declarationOf, endpointNames, type EndpointName } from './endpoints.ts';
import { errorCatalogue, type ErrorCode } from './errors.ts';
import { toDocumentSchema } from './json-schema.ts';
import { possibleErrors } from './possible-errors.ts';
import { exampleOf } from './schema-example.ts';
import type { RequestHeader } from './request-headers.ts';
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

function answersOf({ output }: EndpointDeclaration): AnswerShape[] {
  const shapes = alternativesOf(toDocumentSchema(output, 'output'));
  return shapes.map((shape) => ({ type: typeOf(shape), fields: fieldsOf(shape) }));
}

function accessOf(declaration: EndpointDeclaration): string[] {
  const { credential, permission, minimumRole, needsLiveSession, planFeature, feature } = declaration;
  const who = { none: 'no credential', session: 'session token', any: 'session token or API key' }[credential];
  const statements = [who];
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

function exampleCall({ method, path, credential, organisation, ...input }: EndpointDeclaration): string {
  const { query, headers = [], body } = input;
  const search = query
    ? `?${new URLSearchParams(exampleOf(toDocumentSchema(query, 'input')) as Record<string, string>)}`
    : '';
  const place = path.replaceAll(/:(\w+)/g, (_whole, name: string) => exampleText(name));
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}"$LILAC_API_URL${place}${search}"`];
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

const exampleText = (name: string): string => exampleOf({ type: 'string' }, 'all', name) as string;
