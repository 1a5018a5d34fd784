import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import { declarationOf, type EndpointName } from '@lilac/contract/endpoints';
import type { ErrorCode } from '@lilac/contract/errors';
import { errorCatalogue } from '@lilac/contract/errors';
import { toInputSchema, type JsonSchema } from '@lilac/contract/json-schema';
import { possibleErrors } from '@lilac/contract/possible-errors';
import { exampleOf } from '@lilac/contract/schema-example';
import { OWN_ORGANISATION } from '@lilac/contract/scopes';
import { expect } from 'vitest';
import type { Answer, CallOptions } from './harness.ts';
import type { World } from './world.ts';

/** One endpoint under test, with everything needed to call it rightly and wrongly. */
export interface Subject {
  world: World;
  declaration: EndpointDeclaration;
  /** Whatever is answered, the headers and the shape of a failure are checked as well. */
  call: (options: CallOptions) => Promise<Answer>;
  /** What the owner of our organisation would send, with changes. */
  send: (proof: Proof, change?: object) => Promise<Answer>;
}

/** Who calls: by a token, by the cookie that a browser keeps of a session, or nobody. */
export type Proof = string | { cookie: string } | undefined;

export function subjectOf(world: World, name: EndpointName): Subject {
  const declaration = declarationOf(name);
  const call = (options: CallOptions, change: object = {}) =>
    callAndCheck(world, declaration, { options, path: pathOf(world, declaration, change) });
  const send = (proof: Proof, wanted: object = {}) => {
    const change = byOwnNames(declaration, wanted);
    const body = declaration.body && { ...validValues(world, declaration, declaration.body), ...change };
    return call({ ...proofOf(proof), body }, change);
  };
  return { world, declaration, call, send };
}

/** At the default port the name of the cookie has none. */
function proofOf(proof: Proof): Pick<CallOptions, 'token' | 'headers'> {
  if (typeof proof !== 'object') return { token: proof };
  return { headers: { host: 'localhost', cookie: `__Host-lc_rt=${proof.cookie}` } };
}

/** What the endpoint calls the organisation it is about. Everywhere here it is `targetOrganisationId`. */
export function organisationField({ organisation }: EndpointDeclaration): string {
  return organisation?.split('.')[1] ?? 'targetOrganisationId';
}

function byOwnNames(declaration: EndpointDeclaration, change: object): object {
  if (!('targetOrganisationId' in change)) return change;
  const { targetOrganisationId, ...others } = change;
  return { ...others, [organisationField(declaration)]: targetOrganisationId };
}

/** `about` shows in the failure which of many attempts it was. */
export function expectRefusal({ status, body }: Answer, code: ErrorCode, about: unknown = null): void {
  const expected = { about, status: errorCatalogue[code].status as number, code };
  expect({ about, status, code: (body as { code?: string }).code }).toEqual(expected);
}

/** The fields of the body. */
export function fieldsOf({ body }: EndpointDeclaration): Record<string, JsonSchema> {
  return (body && toInputSchema(body).properties) ?? {};
}

/** Any path may answer these. */
const GENERAL: readonly ErrorCode[] = ['MT001', 'CA009', 'CA010'];

async function callAndCheck(
  world: World,
  declaration: EndpointDeclaration,
  { options, path }: { options: CallOptions; path: string },
): Promise<Answer> {
  const answer = await world.api.call(path, options);
  expect(answer.headers).toMatchObject({
    'ratelimit-limit': '1000000',
    'ratelimit-remaining': expect.stringMatching(/^\d+$/) as string,
    'ratelimit-reset': expect.stringMatching(/^\d+$/) as string,
    'ratelimit-policy': '1000000;w=600',
    'x-request-id': expect.stringMatching(/^req_\w{26}$/) as string,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  if (answer.status !== declaration.status) {
    const documented = [...GENERAL, ...possibleErrors(declaration)];
    expect(answer.body).toMatchObject({ message: expect.stringMatching(/./) as string });
    expect(documented).toContain((answer.body as { code?: string }).code);
    expect(['SV001', 'SV002']).not.toContain((answer.body as { code?: string }).code);
  }
  return answer;
}

/** The path with its parameters and its query filled in; what differs from the valid is in `change`. */
function pathOf(world: World, declaration: EndpointDeclaration, change: object): string {
  const params = declaration.params ? pathValues(world, declaration, { ...change }) : {};
  const path = declaration.path.replaceAll(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  if (!declaration.query) return path;
  const given = { ...validValues(world, declaration, declaration.query), ...change };
  const query = Object.entries(given).filter(([, value]) => value !== undefined);
  return `${path}?${new URLSearchParams(query.map(([name, value]) => [name, String(value)]))}`;
}

/** A part of a path cannot be left out, nor be empty: something else stands for that. */
function pathValues(world: World, declaration: EndpointDeclaration, change: Record<string, unknown>) {
  const valid = validValues(world, declaration, declaration.params!);
  const values = Object.keys(valid).map((name) => [name, (name in change ? change : valid)[name] || OWN_ORGANISATION]);
  return Object.fromEntries(values) as Record<string, unknown>;
}

function validValues(
  { ours }: World,
  declaration: EndpointDeclaration,
  schema: NonNullable<EndpointDeclaration['body']>,
): Record<string, unknown> {
  const field = organisationField(declaration);
  const input = toInputSchema(schema);
  const example = exampleOf(input, 'required') as Record<string, unknown>;
  const real: Record<string, string> = {
    [field]: ours.organisationId,
    applicationId: ours.application.id,
    databaseId: ours.database.id,
    deploymentId: ours.deployment.id,
    environmentId: ours.environment.id,
    projectId: ours.project.id,
    uploadId: ours.upload.id,
    subdomain: ours.subdomain,
    memory: '512Mi',
  };
  // Of two that may be named, neither is required by itself.
  const either = declaration.resource?.or && schema === declaration.body ? { [declaration.resource.field]: '' } : {};
  for (const name of Object.keys(Object.assign(example, either))) if (name in real) example[name] = real[name];
  const namesOrganisation = declaration.organisation !== null && field in (input.properties ?? {});
  return namesOrganisation ? { [field]: ours.organisationId, ...example } : example;
}
