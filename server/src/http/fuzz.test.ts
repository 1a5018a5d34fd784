import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import { declarationOf, endpointNames, type EndpointName } from '@lilac/contract/endpoints';
import type { ErrorCode } from '@lilac/contract/errors';
import { toInputSchema, type JsonSchema } from '@lilac/contract/json-schema';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { organisationField } from '../testing/contract-subject.ts';
import { readCorpusRequests } from '../testing/corpus-requests.ts';
import { expectDeclared, expectNoFault } from '../testing/declared-answer.ts';
import { assertFuzzed, fuzzRuns, withExamples } from '../testing/fuzz-settings.ts';
import {
  asJson,
  distortionsOf,
  hostile,
  nearlyRightValue,
  rightValue,
  TELLING,
  wildText,
} from '../testing/fuzz-values.ts';
import { tellingExamples } from '../testing/telling-examples.ts';
import { createHandlerReach } from '../testing/handler-reach.ts';
import type { Answer } from '../testing/harness.ts';
import { hasSeed, namesSomething, seedOf } from '../testing/id-seeds.ts';
import { standingOf } from '../testing/standing-of.ts';
import { createWorld, type World } from '../testing/world.ts';

const REPOSITORY = 'ada/website';
const reach = createHandlerReach();
let world: World;
let standing: string | null = null;
// What goes through changes it: the next test has another world, unless all is there still that it needs.
beforeEach(async () => {
  if (standing !== null) return;
  world = await createWorld({ watchHandlers: reach.watch });
  await world.git.createRepository(REPOSITORY, { 'index.html': 'hello' });
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

const PARTS = ['body', 'params', 'query'] as const;
type Part = (typeof PARTS)[number];
const partsOf = (name: EndpointName): Part[] => PARTS.filter((part) => declarationOf(name)[part]);

/** What they are given besides is so right that they keep the variables, whichever value one of them has. */
const TAKING_VARIABLES: ReadonlySet<EndpointName> = new Set([
  'applications.create',
  'applications.create-from-upload',
  'environments.update',
]);

/** U+0000, half a character, and what is too long. */
const NO_VALUES = 3;

/** How many share the time of the long form. */
const FUZZERS = endpointNames.flatMap(partsOf).length;

const runsFor = (name: EndpointName) => fuzzRuns(SLOW.has(name) ? 20 : 60, 0.9 / FUZZERS);

describe('what is kept because it once led to a fault, or might', () => {
  it.each(readCorpusRequests('api'))('$name is answered', async ({ requestFor }) => {
    expect.hasAssertions();
    const own = { targetOrganisationId: world.ours.organisationId };
    const { endpoint, ...made } = requestFor(own);
    await call(endpoint, { kind: 'owner', ...made }, ['NF002', 'MT001']);
  });
});

const takingBody = endpointNames.filter((name) => declarationOf(name).body);
describe.each(takingBody)('%s', (name) => {
  const declaration = declarationOf(name);
  it('answers nearly right and hostile bodies without ever failing itself', async () => {
    const before = reach.timesOf(name);
    await assertFuzzed(
      fc.asyncProperty(bodyFor(declaration), credentialFor(declaration), async (body, kind) => {
        await call(name, { kind, body: asJson(body) });
      }),
      runsFor(name),
      () => isReachedSince(before, name),
    );
    expect({ name, isReached: isReachedSince(before, name) }).toEqual({ name, isReached: true });
  });

  it('answers every telling text in any field of a body that is right otherwise', async () => {
    const before = reach.timesOf(name);
    const schema = withNamed(toInputSchema(declaration.body!), declaration);
    const { examples, isFree } = tellingFor(schema, declaration);
    let taken = 0;
    await answerEach(examples, async (body) => {
      // The first that is right has it, and the next needs it as well.
      if (name === 'applications.create-from-upload') await setUpload('ready');
      const code = await call(name, { kind: 'owner', body: asJson(body) });
      if (code === null && 'environmentVars' in body) taken++;
    });
    await setUpload('reserved');
    expect({ name, isReached: reach.timesOf(name) > before }).toEqual({
      name,
      isReached: isFree,
    });
    expect(taken).toBeGreaterThanOrEqual(TAKING_VARIABLES.has(name) ? TELLING.length - NO_VALUES : 0);
  });
});

const takingParams = endpointNames.filter((name) => declarationOf(name).params);
describe.each(takingParams)('%s', (name) => {
  const declaration = declarationOf(name);
  it('answers nearly right and hostile paths without ever failing itself', async () => {
    const before = reach.timesOf(name);
    await assertFuzzed(
      fc.asyncProperty(
        paramsFor(declaration),
        credentialFor(declaration),
        rightBodyFor(declaration),
        async (params, kind, body) => {
          // What it is then may be nobody's path.
          await call(name, { kind, params, body }, ['NF002', 'MT001']);
        },
      ),
      withExamples(runsFor(name), hostilePathsOf(declaration)),
      () => isReachedSince(before, name),
    );
    expect({ name, isReached: isReachedSince(before, name) }).toEqual({ name, isReached: true });
  });
});

const takingQuery = endpointNames.filter((name) => declarationOf(name).query);
describe.each(takingQuery)('%s', (name) => {
  const declaration = declarationOf(name);
  it('answers any query string', async () => {
    const before = reach.timesOf(name);
    await assertFuzzed(
      fc.asyncProperty(queryFor(declaration), credentialFor(declaration), async (query, kind) => {
        await call(name, { kind, query });
      }),
      runsFor(name),
      () => isReachedSince(before, name),
    );
    expect({ name, isReached: isReachedSince(before, name) }).toEqual({ name, isReached: true });
  });

  it('answers every telling text in any field of a query that is right otherwise', async () => {
    const before = reach.timesOf(name);
    const schema = withNamed(toInputSchema(declaration.query!), declaration);
    const { examples, isFree } = tellingFor(schema, declaration);
    await answerEach(examples, (fields) =>
      call(name, { kind: 'owner', query: `?${new URLSearchParams(pairsOf(fields))}` }),
    );
    expect({ name, isReached: reach.timesOf(name) > before }).toEqual({
      name,
      isReached: isFree,
    });
  });
});

it('answers any bytes as a body', async () => {
  expect.hasAssertions();
  await assertFuzzed(
    fc.asyncProperty(fc.constantFrom(...endpointNames), fc.string({ unit: 'binary' }), async (name, body) => {
      await call(name, { kind: 'admin key', body });
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
  await assertFuzzed(
    fc.asyncProperty(methods, paths, wildText, async (method, path, token) => {
      const answer = await world.api.call(path || '/', { method, token: encodeURIComponent(token.toWellFormed()) });
      expectNoFault(answer);
    }),
    fuzzRuns(500, 0.05),
  );
});

async function setUpload(status: 'ready' | 'reserved'): Promise<void> {
  const change = world.api.store.db.updateTable('uploads').set({ status });
  await change.where('id', '=', world.ours.upload.id).execute();
}

/** Of what was sent, so much at least came as far as the handler itself: the door alone is tried elsewhere. */
function isReachedSince(before: number, name: EndpointName): boolean {
  return reach.timesOf(name) - before >= (REACHED_ONCE.has(name) ? 1 : FEWEST_REACHED);
}
const FEWEST_REACHED = 5;
/** The first that is right takes away what the others would need: the folder, or the session that asks. */
const REACHED_ONCE: ReadonlySet<EndpointName> = new Set(['projects.delete', 'auth.sessions.revoke']);

type CredentialKind = 'owner' | 'admin key' | 'read-only key';
const everyKind: CredentialKind[] = ['owner', 'admin key', 'read-only key'];

function credentialFor({ credential }: EndpointDeclaration): fc.Arbitrary<CredentialKind> {
  return credential === 'any' ? fc.constantFrom(...everyKind) : fc.constant('owner');
}

function tokenOf(kind: CredentialKind): string {
  const { owner, adminKey, readOnlyKey } = world.ours;
  return { owner: owner.token, 'admin key': adminKey, 'read-only key': readOnlyKey }[kind];
}

interface Call {
  kind: CredentialKind;
  body?: string;
  /** As they stand in the path; left out, those of what is ours. */
  params?: Record<string, string>;
  query?: string;
}

/** The code that it was refused with; null where it was not. */
async function call(name: EndpointName, made: Call, besides: ErrorCode[] = []): Promise<ErrorCode | null> {
  const declaration = declarationOf(name);
  const { method, query } = declaration;
  const path = declaration.path.replaceAll(
    /:(\w+)/g,
    (_whole, field: string) => made.params?.[field] ?? encodeURIComponent(ownValueFor(field, declaration) ?? 'x'),
  );
  const search = made.query ?? (query ? rightSearch(declaration) : '');
  const { body, kind } = made;
  const answer: Answer = await world.api.call(path + search, { method, body, token: tokenOf(kind) });
  return expectDeclared(declaration, answer, besides);
}

/** What a query must name. */
function rightSearch(declaration: EndpointDeclaration): string {
  const { properties = {} } = toInputSchema(declaration.query!);
  const known = Object.keys(properties).flatMap((name) => {
    const value = ownValueFor(name, declaration);
    return value === undefined ? [] : [[name, value]];
  });
  return `?${new URLSearchParams(known)}`;
}

function rightBodyFor(declaration: EndpointDeclaration): fc.Arbitrary<string | undefined> {
  if (!declaration.body) return fc.constant(undefined);
  const schema = withNamed(toInputSchema(declaration.body), declaration);
  return rightValue(schema, knownTo(declaration)).map(asJson);
}

function bodyFor(declaration: EndpointDeclaration): fc.Arbitrary<unknown> {
  const schema = withNamed(toInputSchema(declaration.body!), declaration);
  const known = knownTo(declaration);
  return fc.oneof(
    { weight: 3, arbitrary: rightValue(schema, known) },
    { weight: 4, arbitrary: nearlyRightValue(schema, known) },
    hostile,
  );
}

/** Without the organisation and what it is about, admission ends nearly every request. */
function withNamed(schema: JsonSchema, declaration: EndpointDeclaration): JsonSchema {
  const named = [organisationField(declaration), declaration.resource?.field ?? ''];
  const present = named.filter((name) => Object.hasOwn(schema.properties ?? {}, name));
  return { ...schema, required: [...new Set([...(schema.required ?? []), ...present])] };
}

/** What is ours mostly, so that handlers are reached; now and then what is theirs, or of another kind. */
function knownTo(declaration: EndpointDeclaration) {
  const others = fc.constantFrom<(() => string)[]>(
    () => world.ours.organisationId,
    () => world.theirs.organisationId,
    () => world.ours.application.id,
    () => world.ours.project.id,
    () => world.theirs.project.id,
    () => world.theirs.database.id,
    () => world.member.userId,
    () => world.ours.keyId,
  );
  return (name: string): fc.Arbitrary<unknown> | undefined => {
    if (!hasOwnValue(name, declaration))
      return PROOF.test(name) ? fc.base64String({ minLength: 40, maxLength: 44 }) : undefined;
    const own = fc.constant(null).map(() => rawOwnValue(name, declaration));
    if (name === organisationField(declaration))
      return fc.oneof(
        { weight: 30, arbitrary: own },
        others.map((read) => read()),
      );
    if (name === 'email') return fc.oneof(own, fc.emailAddress());
    return fc.oneof(
      { weight: 8, arbitrary: own },
      others.map((read) => read()),
    );
  };
}

/** Nobody can make one up; of the right form it is looked for. */
const PROOF = /token$|code$/i;

/** In the path a text stands percent-encoded, or as somebody sends it who does not know how. */
function paramsFor(declaration: EndpointDeclaration): fc.Arbitrary<Record<string, string>> {
  const names = Object.keys(toInputSchema(declaration.params!).properties ?? {});
  const values = names.map((name) => {
    const own = fc.constant(null).map(() => ownValueFor(name, declaration) ?? 'x');
    const value = fc.oneof(
      { weight: 8, arbitrary: own.map(encodeURIComponent) },
      { weight: 3, arbitrary: distortionsOf(own).map(inPath) },
      { weight: 3, arbitrary: wildText.map(inPath) },
      { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_IN_PATH) },
    );
    return [name, value] as const;
  });
  return fc.record(Object.fromEntries(values));
}

const HOSTILE_IN_PATH = ['-', '%', '%ff', '%C0%80', '%00', '%2F', '%u0041', '%E2%80%AE', '%ED%A0%80'];

/** Every parameter once with each of them, all else being right: chance alone would seldom have them so. */
function hostilePathsOf(
  declaration: EndpointDeclaration,
): [Record<string, string>, CredentialKind, string | undefined][] {
  const values = [...HOSTILE_IN_PATH, ...TELLING.filter((text) => text.length < 1000).map(inPath)];
  const [body] = fc.sample(rightBodyFor(declaration), { seed: 1, numRuns: 1 });
  return Object.keys(toInputSchema(declaration.params!).properties ?? {}).flatMap((name) =>
    values.map(
      (value) => [{ [name]: value }, 'owner', body] as [Record<string, string>, CredentialKind, string | undefined],
    ),
  );
}

/** Dots alone would lead to another path before it is sent. */
function inPath(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return /^\.{1,2}$/.test(encoded) ? `${encoded}%2F` : encoded;
}

function queryFor(declaration: EndpointDeclaration): fc.Arbitrary<string> {
  const schema = withNamed(toInputSchema(declaration.query!), declaration);
  const nearly = nearlyRightValue(schema, knownTo(declaration)) as fc.Arbitrary<Record<string, unknown>>;
  const any = fc.dictionary(fc.constantFrom(...Object.keys(schema.properties ?? {}), 'x', '__proto__'), wildText);
  const pairs = fc.oneof({ weight: 2, arbitrary: nearly }, any).map(pairsOf);
  return fc
    .tuple(pairs, fc.constantFrom('', '', '', '&&', '&x', '&=', '&%', '&a[]=1'))
    .map(([each, tail]) => `?${new URLSearchParams(each)}${tail}`);
}

function pairsOf(fields: object): [string, string][] {
  return Object.entries(fields).map(([name, value]: [string, unknown]) => [
    name.toWellFormed(),
    (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed(),
  ]);
}

/** All of them and no others; the first that is not answered as it should be is told. */
async function answerEach<Example>(examples: Example[], answer: (example: Example) => Promise<unknown>): Promise<void> {
  if (examples.length === 0) return;
  const property = fc.asyncProperty(fc.constantFrom(...examples), async (example) => void (await answer(example)));
  const each = examples.map((example): [Example] => [example]);
  await fc.assert(property, { examples: each, numRuns: each.length, endOnFailure: true });
}

/**
 * What admission looks for is tried where there is no other text: it is the same for all, and lets none of it through.
 */
function tellingFor(schema: JsonSchema, declaration: EndpointDeclaration): { examples: object[]; isFree: boolean } {
  const own = ownIn(declaration);
  const named = [organisationField(declaration), declaration.resource?.field];
  const fields = Object.entries(schema.properties ?? {}).map(([name, child]) => [
    name,
    named.includes(name) ? { const: own(name) } : child,
  ]);
  const free = tellingExamples({ ...schema, properties: Object.fromEntries(fields) as JsonSchema['properties'] }, own);
  const isFree = free.length > 0;
  return { examples: (isFree ? free : tellingExamples(schema, own)) as object[], isFree };
}

const ownIn = (declaration: EndpointDeclaration) => (name: string) => {
  // Nothing is created of a repository that is not there; to look into one takes long, and is not of these fields.
  if (name === 'vcsRepoUrl' && declaration === declarationOf('applications.create'))
    return `${world.git.url}/${REPOSITORY}`;
  return hasOwnValue(name, declaration) ? rawOwnValue(name, declaration) : undefined;
};

const othersOwn: Record<string, () => string> = {
  // The owner must stay.
  userId: () => world.member.userId,
  currentPassword: () => world.ours.owner.password,
  email: () => 'somebody@example.org',
};

function hasOwnValue(name: string, declaration: EndpointDeclaration): boolean {
  if (name === organisationField(declaration) || Object.hasOwn(othersOwn, name)) return true;
  return hasSeed(name) && namesSomething({ name, isList: false });
}

function rawOwnValue(name: string, declaration: EndpointDeclaration): string | number {
  if (name === organisationField(declaration)) return world.ours.organisationId;
  return othersOwn[name]?.() ?? seedOf(name, world.ours, declaration)!;
}

function ownValueFor(name: string, declaration: EndpointDeclaration): string | undefined {
  return hasOwnValue(name, declaration) ? String(rawOwnValue(name, declaration)) : undefined;
}
