import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import { declarationOf, endpointNames, type EndpointName } from '@lilac/contract/endpoints';
import { toInputSchema, type JsonSchema } from '@lilac/contract/json-schema';
import { keyRoleHas, roleHas } from '@lilac/contract/permissions';
import { possibleErrors } from '@lilac/contract/possible-errors';
import { exampleOf } from '@lilac/contract/schema-example';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mintApiKey } from '../modules/api-keys/api-key.ts';
import type { Answer, CallOptions } from '../testing/harness.ts';
import { createWorld, type World } from '../testing/world.ts';
import { MAX_BODY_BYTES } from './body-parsers.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const seen = new Set<EndpointName>();

describe.each(endpointNames)('%s', (name) => {
  const declaration = declarationOf(name);
  const { credential, organisation, resource, permission, minimumRole } = declaration;
  const isProtected = credential !== 'none';
  const call = (options: CallOptions) => callAndCheck(name, options);
  /** What the owner of our organisation would send. */
  const body = () => validBody(declaration);
  const valid = (token: string, change: object = {}) =>
    call({ token, body: declaration.body && { ...body(), ...change } });

  it('is registered', async () => {
    seen.add(name);
    const answer = await call({ token: world.ours.owner.token, body: declaration.body && {} });
    expect(answer.body?.code).not.toBe('NF002');
  });

  itWhen(isProtected, '401 CA001 without a credential, whatever the body', async () => {
    expect(await call({ body: declaration.body && body() })).toMatchObject(refusal(401, 'CA001'));
    for (const broken of unreadable(declaration)) expect(await call(broken)).toMatchObject(refusal(401, 'CA001'));
  });

  itWhen(isProtected, '401 CA002 with a credential that is malformed, unknown, expired or revoked', async () => {
    const { expiredToken, expiredKey, revokedKey } = world;
    const invented = mintApiKey().text;
    for (const token of [
      '',
      'nonsense',
      'a.b.c',
      'lc_',
      `${invented}x`,
      invented,
      expiredToken,
      expiredKey,
      revokedKey,
    ]) {
      expect(await valid(token), token).toMatchObject(refusal(401, 'CA002'));
      for (const broken of unreadable(declaration)) {
        expect(await call({ token, ...broken }), token).toMatchObject(refusal(401, 'CA002'));
      }
    }
    const headers = { authorization: 'Basic bm9ib2R5Om5vdGhpbmc=' };
    expect(await call({ headers, body: declaration.body && body() })).toMatchObject(refusal(401, 'CA002'));
  });

  itWhen(isProtected, '402 CA008 with a key of an organisation on the free plan', async () => {
    const answer = await valid(world.freeKey, { targetOrganisationId: undefined });
    expect(answer).toMatchObject(refusal(402, 'CA008'));
    for (const broken of unreadable(declaration)) {
      expect(await call({ token: world.freeKey, ...broken })).toMatchObject(refusal(402, 'CA008'));
    }
  });

  itWhen(credential === 'session', '403 CA006 with a key, since it takes a signed-in person', async () => {
    expect(await valid(world.ours.adminKey)).toMatchObject(refusal(403, 'CA006'));
    expect(await valid(world.ours.readOnlyKey)).toMatchObject(refusal(403, 'CA006'));
  });

  const keyMayNot = credential === 'any' && permission !== null && !keyRoleHas('user', permission);
  itWhen(keyMayNot, '403 CA005 with a read-only key, whether or not the body is right', async () => {
    expect(await valid(world.ours.readOnlyKey)).toMatchObject(refusal(403, 'CA005'));
    expect(await call({ token: world.ours.readOnlyKey, body: {} })).toMatchObject(refusal(403, 'CA005'));
    for (const broken of unreadable(declaration)) {
      expect(await call({ token: world.ours.readOnlyKey, ...broken })).toMatchObject(refusal(403, 'CA005'));
    }
  });

  itWhen(credential === 'any' && !keyMayNot, 'lets a read-only key read, without naming its organisation', async () => {
    expect((await valid(world.ours.readOnlyKey, { targetOrganisationId: undefined })).status).toBe(declaration.status);
  });

  const roleMatters = permission !== null && (minimumRole !== undefined || !roleHas('user', permission));
  itWhen(roleMatters, '403 CA005 for a member whose role is too low', async () => {
    const lower = minimumRole === 'owner' ? [world.member, world.admin] : [world.member];
    for (const { token } of lower) expect(await valid(token)).toMatchObject(refusal(403, 'CA005'));
  });

  itWhen(organisation !== null, '403 for another organisation: CA004 with a session, CA003 with a key', async () => {
    const targetOrganisationId = world.theirs.organisationId;
    const asKey = credential === 'any' ? refusal(403, 'CA003') : refusal(403, 'CA006');
    for (const change of [{ targetOrganisationId }, { targetOrganisationId: 'org_nowhere' }]) {
      expect(await valid(world.ours.owner.token, change)).toMatchObject(refusal(403, 'CA004'));
      expect(await valid(world.ours.adminKey, change)).toMatchObject(asKey);
      const unusable = { ...change, applicationId: 5, projectId: 5, name: 5 };
      expect(await call({ token: world.ours.owner.token, body: unusable })).toMatchObject(refusal(403, 'CA004'));
    }
  });

  itWhen(organisation !== null, '400 CA007 with a session that names no organisation', async () => {
    for (const targetOrganisationId of [undefined, '']) {
      const answer = await valid(world.ours.owner.token, { targetOrganisationId });
      expect(answer).toMatchObject(refusal(400, 'CA007'));
    }
  });

  itWhen(resource, '404 NF001 for what another organisation has, as for what does not exist', async () => {
    const { field, kind } = resource!;
    for (const token of [world.ours.owner.token, world.ours.adminKey]) {
      const foreign = await valid(token, { [field]: world.theirs[kind].id });
      const missing = await valid(token, { [field]: 'nowhere' });
      expect(foreign).toMatchObject(refusal(404, 'NF001'));
      expect(foreign.body).toEqual(missing.body);
    }
  });

  it('404 NF001 for any other id of another organisation', async () => {
    const { keyId, owner, invitationId, project } = world.theirs;
    const foreign: Record<string, string> = {
      keyId,
      userId: owner.userId,
      invitationId,
      targetFolderId: project.id,
      sessionId: owner.sessionId,
    };
    const fields = Object.keys(fieldsOf(declaration)).filter((field) => field in foreign);
    for (const field of fields) {
      expect(await valid(world.ours.owner.token, { [field]: foreign[field] })).toMatchObject(refusal(404, 'NF001'));
    }
  });

  it('400 VA001 naming the field, for a value of the wrong type in any field', async () => {
    for (const [field, schema] of Object.entries(fieldsOf(declaration))) {
      for (const wrong of wrongValues(schema)) {
        const answer = await valid(world.ours.owner.token, { [field]: wrong });
        expect(answer, `${field} = ${JSON.stringify(wrong)}`).toMatchObject(refusal(400, 'VA001'));
        expect(answer.body.message).toMatch(new RegExp(String.raw`^${field}\b`));
      }
    }
  });

  itWhen(declaration.body, '400 VA001 when a required field is missing', async () => {
    const required = toInputSchema(declaration.body!).required ?? [];
    for (const field of required) {
      const answer = await valid(world.ours.owner.token, { [field]: undefined });
      expect(answer).toMatchObject({ status: 400, body: { code: 'VA001', message: `${field} is required` } });
    }
  });

  itWhen(declaration.body, '400 VA001 when the body is no object or holds U+0000', async () => {
    const token = world.ours.owner.token;
    for (const text of ['5', '"text"', 'null', '[]', 'true']) {
      expect(await call({ token, body: text }), text).toMatchObject(refusal(400, 'VA001'));
    }
    const answer = await valid(token, { anything: { deep: ['\u0000'] } });
    expect(answer).toMatchObject(refusal(400, 'VA001'));
  });

  itWhen(declaration.body, '413 LM001 for a body of 1 MiB and one byte', async () => {
    const answer = await call({ token: world.ours.owner.token, body: oversized() });
    expect(answer).toMatchObject(refusal(413, 'LM001'));
  });

  itWhen(declaration.body, '400 VA002 for broken JSON', async () => {
    for (const text of ['{', '{"a":}', "{'a':1}", '\u0000', '{"a":1}}']) {
      expect(await call({ token: world.ours.owner.token, body: text })).toMatchObject(refusal(400, 'VA002'));
    }
  });

  itWhen(declaration.body, '415 MT002 for a body that is not JSON', async () => {
    const types = ['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/json5'];
    if (!declaration.acceptsForm) types.push('application/x-www-form-urlencoded');
    for (const type of types) {
      const answer = await call({ token: world.ours.owner.token, body: 'a=1', headers: { 'content-type': type } });
      expect(answer, type).toMatchObject(refusal(415, 'MT002'));
    }
  });

  it('405 MT001 with Allow for another method, before anything else', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'].filter(
      (one) => one !== declaration.method,
    )) {
      const answer = await call({ method, body: ['GET', 'OPTIONS', 'TRACE'].includes(method) ? undefined : '{' });
      expect(answer, method).toMatchObject(refusal(405, 'MT001'));
      expect(String(answer.headers['allow']).split(', ')).toContain(declaration.method);
    }
  });
});

it('saw every endpoint', () => {
  expect(endpointNames.length).toBeGreaterThanOrEqual(43);
  expect([...seen].toSorted()).toEqual(endpointNames.toSorted());
});

/** Only what applies to an endpoint is a test of it. */
function itWhen(applies: unknown, title: string, test: () => Promise<void>): void {
  if (applies) it(title, test);
}

const refusal = (status: number, code: string) => ({ status, body: { code } });

const GENERAL = ['MT001', 'CA009', 'CA010'];

/** Every answer, whatever it says, has the same headers; every failure has the same shape and a documented code. */
async function callAndCheck(name: EndpointName, options: CallOptions): Promise<Answer> {
  const declaration = declarationOf(name);
  const path = declaration.query && !options.method ? `${declaration.path}?memory=512Mi` : declaration.path;
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
  expect(answer.status, answer.text).toBeLessThan(500);
  if (answer.status >= 400) {
    expect(answer.body).toMatchObject({ message: expect.stringMatching(/./) as string });
    expect([...GENERAL, ...possibleErrors(declaration)]).toContain(answer.body.code);
  }
  return answer;
}

function validBody(declaration: EndpointDeclaration): Record<string, unknown> {
  if (!declaration.body) return {};
  const { organisationId, application, project } = world.ours;
  const example = exampleOf(toInputSchema(declaration.body), 'required') as Record<string, unknown>;
  const real: Record<string, string> = { applicationId: application.id, projectId: project.id };
  for (const field of Object.keys(example)) if (field in real) example[field] = real[field];
  return declaration.organisation === null ? example : { targetOrganisationId: organisationId, ...example };
}

/** Bodies that no handler ever sees: broken, too large, of another type. */
function unreadable({ body }: EndpointDeclaration): CallOptions[] {
  if (!body) return [];
  return [{ body: '{' }, { body: oversized() }, { body: 'a', headers: { 'content-type': 'text/plain' } }];
}

const oversized = () => JSON.stringify('x'.repeat(MAX_BODY_BYTES - 1));

function fieldsOf({ body }: EndpointDeclaration): Record<string, JsonSchema> {
  return (body && toInputSchema(body).properties) ?? {};
}

function wrongValues(schema: JsonSchema): unknown[] {
  const accepted = new Set((schema.anyOf ?? [schema]).flatMap(({ type }) => type ?? []));
  const samples: [string, unknown][] = [
    ['string', '5'],
    ['number', 5],
    ['boolean', true],
    ['null', null],
    ['object', { a: 1 }],
    ['array', ['a']],
  ];
  const wrong = samples.filter(([type]) => !accepted.has(type)).map(([, value]) => value);
  return schema.enum ? [...wrong, 'no such value'] : wrong;
}
