import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import { declarationOf, endpointNames, type EndpointName } from '@lilac/contract/endpoints';
import { toInputSchema, type JsonSchema } from '@lilac/contract/json-schema';
import { possibleErrors } from '@lilac/contract/possible-errors';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { organisationField } from '../testing/contract-subject.ts';
import { fuzzRuns } from '../testing/fuzz-settings.ts';
import type { Answer, CallOptions } from '../testing/harness.ts';
import { hasSeed, seedOf } from '../testing/id-seeds.ts';
import { standingOf } from '../testing/standing-of.ts';
import { createWorld, type World } from '../testing/world.ts';

let world: World;
let standing: string | null = null;
// What goes through changes it: the next test has another world, unless all is there still that it needs.
beforeEach(async () => {
  if (standing !== null) return;
  world = await createWorld();
  standing = await standingOf(world.api, world.ours);
});
afterEach(async () => {
  if ((await standingOf(world.api, world.ours)) === standing) return;
  standing = null;
  await world[Symbol.asyncDispose]();
});
afterAll(() => (standing === null ? undefined : world[Symbol.asyncDispose]()));

/** Each of their calls hashes a password or draws codes, which takes tens of milliseconds. */
const SLOW: ReadonlySet<EndpointName> = new Set([
  'auth.login',
  'auth.setup',
  'auth.register',
  'profile.password',
  'profile.mfa.enrol',
  'profile.mfa.disable',
]);

/** How many share the time of the long form. */
const FUZZERS = endpointNames.length + endpointNames.filter((name) => declarationOf(name).query).length;

describe.each(endpointNames)('%s', (name) => {
  const declaration = declarationOf(name);
  const credential = fc.constantFrom(...(declaration.credential === 'any' ? everyKind : (['owner'] as const)));
  const runs = fuzzRuns(SLOW.has(name) ? 20 : 60, 0.9 / FUZZERS);

  it('answers nearly right and hostile bodies without ever failing itself', async () => {
    expect.hasAssertions();
    const schema = declaration.body ? toInputSchema(declaration.body) : { type: 'object' };
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 4, arbitrary: bodyFor(schema, declaration) }, hostile),
        credential,
        async (body, kind) => {
          const text = textOf(body);
          await call(name, { token: tokenOf(kind), body: declaration.body ? text : undefined });
        },
      ),
      runs,
    );
  });

  const queryNames = Object.keys((declaration.query && toInputSchema(declaration.query).properties) ?? {});
  it.each(declaration.query ? ['query'] : [])('answers any %s string', async () => {
    expect.hasAssertions();
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...queryNames, 'x', '__proto__'), wildText), async (query) => {
        const search = `?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, value.toWellFormed()]))}`;
        await call(name, { token: world.ours.owner.token }, search);
      }),
      runs,
    );
  });
});

it('answers any bytes as a body', async () => {
  expect.hasAssertions();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...endpointNames), fc.string({ unit: 'binary' }), async (name, body) => {
      await call(name, { token: world.ours.adminKey, body });
    }),
    fuzzRuns(500, 0.05),
  );
});

it('answers any path, method and credential', async () => {
  expect.hasAssertions();
  const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD');
  const paths = fc.oneof(
    fc.webPath(),
    fc.constantFrom('/api/%zz', '/%', '/api/applications/', '//', '/api//', '/docs/..', '/api/%00'),
  );
  await fc.assert(
    fc.asyncProperty(methods, paths, wildText, async (method, path, token) => {
      const answer = await world.api.call(path || '/', { method, token: encodeURIComponent(token.toWellFormed()) });
      expectAnswer(answer);
    }),
    fuzzRuns(500, 0.05),
  );
});

type CredentialKind = 'owner' | 'admin key' | 'read-only key';
const everyKind: CredentialKind[] = ['owner', 'admin key', 'read-only key'];

function tokenOf(kind: CredentialKind): string {
  const { owner, adminKey, readOnlyKey } = world.ours;
  return { owner: owner.token, 'admin key': adminKey, 'read-only key': readOnlyKey }[kind];
}

async function call(name: EndpointName, options: CallOptions, search = ''): Promise<void> {
  const declaration = declarationOf(name);
  const path = declaration.path.replaceAll(/:(\w+)/g, (_whole, field: string) => ownIdFor(field, declaration));
  const answer = await world.api.call(path + search, { ...options, method: declaration.method });
  expectAnswer(answer);
  const outcome = answer.status >= 400 ? (answer.body as { code: string }).code : answer.status;
  expect([declaration.status, ...possibleErrors(declaration)]).toContain(outcome);
  const fits = answer.status >= 400 || declaration.stream || declaration.output.safeParse(answer.body).success;
  expect({ fits, text: answer.text }).toMatchObject({ fits: true });
}

function expectAnswer({ status, body, headers, text }: Answer): void {
  expect({ text, isOurFault: status >= 500 }).toEqual({ text, isOurFault: false });
  expect(headers['x-request-id']).toMatch(/^req_/);
  expect(headers['ratelimit-remaining']).toMatch(/^\d+$/);
  if (status < 400 || !text) return;
  expect(typeof body.message).toBe('string');
  expect(body.code).toMatch(/^[A-Z]{2}\d{3}$/);
}

/** Stands for a list in a list in a list …: nobody could print or shrink the real thing. */
const DEEP = 'a very deep list';
const DEPTH = 50_000;

/** Lone surrogates survive JSON.stringify as escapes, as a hostile client would send them. */
function textOf(body: unknown): string {
  return (JSON.stringify(body) ?? '').replaceAll(JSON.stringify(DEEP), '['.repeat(DEPTH) + ']'.repeat(DEPTH));
}

const wildText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('\ud800', '\udfff', '\0', '\\', '%', '_', '\u202e', 'é', '😀'), maxLength: 12 }),
  fc.constantFrom(
    '',
    ' ',
    '__proto__',
    'constructor',
    "'; drop table users; --",
    '../../etc/passwd',
    '\0',
    'x'.repeat(70_000),
  ),
);

const wildNumber = fc.oneof(
  fc.double(),
  fc.constantFrom(0, -0, -1, 1.5, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, Number.MIN_VALUE, Number.NaN),
);

const hostile: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, false),
    wildNumber,
    wildText,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(wildText, tie('value'), { maxKeys: 4 }),
    fc.constant(DEEP),
  ),
})).value;

/** Bodies whose fields are mostly right, so that handlers are reached, and now and then anything. */
function bodyFor(schema: JsonSchema, declaration: EndpointDeclaration): fc.Arbitrary<unknown> {
  const required = schema.required ?? [];
  const fields = Object.entries(schema.properties ?? {}).map(([name, child]) => {
    const value = fc.oneof({ weight: 12, arbitrary: valueFor(child, { name, declaration }) }, hostile);
    return [name, required.includes(name) ? value : fc.option(value, { nil: undefined, freq: 3 })] as const;
  });
  const unknownFields = fc.option(fc.dictionary(wildText, hostile, { maxKeys: 2 }), { nil: {}, freq: 3 });
  return fc.tuple(fc.record(Object.fromEntries(fields)), unknownFields).map(([known, more]) => ({ ...more, ...known }));
}

interface Place {
  name: string;
  declaration: EndpointDeclaration;
}

function valueFor(schema: JsonSchema, place: Place): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((option) => valueFor(option, place)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'number' || schema.type === 'integer')
    return fc.oneof(fc.integer({ min: 0, max: 120 }), wildNumber);
  if (schema.format === 'date-time') return timestamp;
  if (schema.type === 'array') return listFor(schema, place);
  return textFor(schema, place);
}

const timestamp = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

function listFor({ items }: JsonSchema, place: Place): fc.Arbitrary<unknown> {
  const item = items && !Array.isArray(items) ? valueFor(items, place) : hostile;
  return fc.array(fc.oneof({ weight: 8, arbitrary: item }, hostile), { maxLength: 4 });
}

function textFor({ minLength = 0, maxLength = 64 }: JsonSchema, { name, declaration }: Place): fc.Arbitrary<string> {
  const bounds = { minLength: Number(minLength), maxLength: Math.min(Number(maxLength), Number(minLength) + 60) };
  const texts = [fc.string({ unit: 'grapheme', ...bounds }), fc.string({ unit: 'binary', ...bounds })];
  if (name === 'email') texts.push(fc.emailAddress());
  if (name.toLowerCase().includes('token')) texts.push(fc.base64String({ minLength: 40, maxLength: 44 }));
  const known = fc.constantFrom<(() => string)[]>(
    () => world.ours.organisationId,
    () => world.theirs.organisationId,
    () => world.ours.application.id,
    () => world.ours.project.id,
    () => world.theirs.project.id,
    () => world.member.userId,
    () => world.ours.keyId,
  );
  const isOurs = name === organisationField(declaration) ? 20 : 3;
  return fc.oneof(
    { weight: isOurs, arbitrary: fc.constant(null).map(() => ownIdFor(name, declaration)) },
    { weight: 1, arbitrary: known.map((read) => read()) },
    ...texts.map((arbitrary) => ({ weight: 1, arbitrary })),
  );
}

function ownIdFor(name: string, declaration: EndpointDeclaration): string {
  const others: Record<string, string> = {
    // The owner must stay.
    userId: world.member.userId,
    currentPassword: world.ours.owner.password,
    email: 'somebody@example.org',
  };
  if (name === organisationField(declaration)) return world.ours.organisationId;
  return others[name] ?? String((hasSeed(name) ? seedOf(name, world.ours, declaration) : null) ?? 'some text');
}
