import type { EndpointDeclaration, ResourceSource } from '@lilac/contract/endpoint';
import { toInputSchema } from '@lilac/contract/json-schema';
import { OWN_ORGANISATION } from '@lilac/contract/scopes';
import type { FastifyRequest } from 'fastify';
import type { AddressedResource } from './access-store.ts';
import type { Named } from './admit.ts';
import { holdsNul, nulRefused } from './body-parsers.ts';
import { compileValidator, type InputPart, type Validate } from './validate.ts';

export interface Input {
  /** What is wrong with it, told only to those who are admitted. */
  problem: string | null;
  /** Null when it cannot be told which organisation is meant. */
  named: Named | null;
}

type Source = Record<string, unknown>;
const PARTS = ['body', 'query', 'params'] as const satisfies readonly InputPart[];

type ReadInput = (request: FastifyRequest) => Input;

/** A declaration never changes, whichever server of this process it is of. */
const compiled = new WeakMap<EndpointDeclaration, ReadInput>();

/** Validates in place (defaults are filled in) and finds the ids that admission goes by. */
export function compileInput(declaration: EndpointDeclaration): ReadInput {
  const readInput = compiled.get(declaration) ?? compile(declaration);
  compiled.set(declaration, readInput);
  return readInput;
}

function compile(declaration: EndpointDeclaration): ReadInput {
  const checks = PARTS.flatMap((part) => {
    const schema = declaration[part];
    return schema ? [{ part, validate: onceNeeded(() => compileValidator(toInputSchema(schema), part)) }] : [];
  });
  const readOrganisation = organisationReader(declaration);
  return (request) => {
    // Nothing sent is an empty object: the message then names the first field that is missing.
    if (declaration.body && request.body === undefined) request.body = {};
    const problem = firstProblem(checks, request) ?? neitherNamed(declaration, request);
    const organisationId = readOrganisation(request);
    if (organisationId === undefined) return { problem, named: null };
    return { problem, named: { organisationId, resource: addressed(declaration.resource, request) } };
  };
}

/** Compiling all of them would be most of what a server does to be ready, and most are not called for hours. */
function onceNeeded(compile: () => Validate): Validate {
  let validate: Validate | undefined;
  return (value) => (validate ??= compile())(value);
}

function firstProblem(checks: { part: InputPart; validate: Validate }[], request: FastifyRequest): string | null {
  for (const { part, validate } of checks) {
    if (part !== 'body' && holdsNul(request[part] as Source)) return nulRefused().message;
    const problem = validate(request[part]);
    if (problem !== null) return problem;
  }
  return null;
}

/** The id; null when none is named; undefined when what is there is no id. */
type ReadOrganisation = (request: FastifyRequest) => string | null | undefined;

function organisationReader({ organisation }: EndpointDeclaration): ReadOrganisation {
  if (organisation === null) return () => null;
  const [part, field] = organisation.split('.') as [InputPart, string];
  return (request) => {
    const source = request[part];
    if (!isPlainObject(source)) return undefined;
    const value = source[field];
    if (value === undefined || value === '' || (part === 'params' && value === OWN_ORGANISATION)) return null;
    return isId(value) ? value : undefined;
  };
}

function addressed(resource: ResourceSource | undefined, request: FastifyRequest): AddressedResource | null {
  const source = resource && request[resource.in ?? 'body'];
  if (!isPlainObject(source)) return null;
  const named = [resource!, resource!.or].find((each) => each && source[each.field] !== undefined);
  const id = named && source[named.field];
  return isId(id) ? { kind: named!.kind, id } : null;
}

/** Where either of two may be named, neither of them is required by itself. */
function neitherNamed({ resource }: EndpointDeclaration, request: FastifyRequest): string | null {
  const source = request[resource?.in ?? 'body'];
  if (!resource?.or || !isPlainObject(source)) return null;
  const { field, or } = resource;
  return source[field] === undefined && source[or.field] === undefined ? `${or.field} or ${field} is required.` : null;
}

/** The store cannot even be asked for what holds a zero character. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

function isPlainObject(value: unknown): value is Source {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
