import { declarationOf, type EndpointName } from '@lilac/contract/endpoints';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encryptConsolePassword } from '../modules/accounts/console-password.ts';
import { platformSecret } from '../secrets/platform-secrets-store.ts';
import { expectDeclared } from '../testing/declared-answer.ts';
import { createOwner } from '../testing/factories.ts';
import { headerText, nearly, openDoors, type Doors } from '../testing/fuzz-doors.ts';
import { assertFuzzed, fuzzRuns } from '../testing/fuzz-settings.ts';
import { asJson, hostile, wildText } from '../testing/fuzz-values.ts';

/** Every way to sign in, as strangers try it. */
let doors: Doors;
beforeAll(async () => {
  doors = await openDoors();
});
afterAll(() => doors?.[Symbol.asyncDispose]());

describe('signing in', () => {
  it('by the console: any e-mail address and password', async () => {
    const { email, password } = doors.bench.owner;
    const { origin } = doors.bench.api.config.publicUrl;
    const statuses = new Set<number>();
    const origins = fc.oneof({ weight: 6, arbitrary: fc.constant(origin) }, headerText, fc.constantFrom('null', ''));
    const credentials = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ email: nearly(fc.constant(email)), password: nearly(fc.constant(password)) }),
      },
      hostile,
    );
    await assertFuzzed(
      fc.asyncProperty(credentials, origins, async (body, from) => {
        const answer = await doors.send('/console/sign-in', { body: asJson(body), headers: { origin: from } });
        doors.expectNoFault(answer);
        statuses.add(answer.status);
      }),
      { ...fuzzRuns(40, 0.2), examples: [[{ email, password }, origin]] },
    );
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403]));
  });

  it('by a password that is encrypted: nearly as the console does it', async () => {
    const { api, owner } = doors.bench;
    const key = await platformSecret(api, 'console-password');
    const encrypted = await encryptConsolePassword(key, owner.password, api.clock);
    const [head, ...parts] = encrypted.split('.');
    const heads = fc
      .dictionary(
        fc.constantFrom('alg', 'enc', 'zip', 'crit', 'p2c', 'kid', 'b64'),
        fc.oneof(hostile, fc.constant('dir')),
      )
      .map((header) => Buffer.from(asJson(header)).toString('base64url'));
    const passwords = fc.oneof(
      { weight: 3, arbitrary: nearly(fc.constant(encrypted)) },
      { weight: 2, arbitrary: heads.map((other) => [other, ...parts].join('.')) },
      fc.constant([head, '', '', '', ''].join('.')),
    );
    expect.hasAssertions();
    await assertFuzzed(
      fc.asyncProperty(passwords, async (password) => {
        const body = asJson({ email: owner.email, password });
        expectDeclared(declarationOf('auth.login'), await doors.send('/api/auth/login', { body }));
      }),
      fuzzRuns(60, 0.1),
    );
  });

  it('by a refresh token: in a cookie, in the body, with any key to repeat it by', async () => {
    const cookies = fc.oneof(
      fc.tuple(
        fc.constantFrom('__Host-lc_rt', 'lc_rt', '__Host-lc_rt_7080'),
        nearly(fc.constant(doors.bench.owner.refreshToken)),
      ),
      fc.tuple(wildText, wildText),
    );
    const headers = fc.record(
      {
        cookie: cookies.map(([name, value]) => `${encodeURIComponent(name.toWellFormed())}=${inHeader(value)}`),
        'idempotency-key': headerText,
        'x-client-type': fc.constantFrom('cli', '', 'x'),
      },
      { requiredKeys: [] },
    );
    const names = fc.constantFrom<EndpointName[]>('auth.refresh', 'auth.logout');
    const bodies = fc.option(fc.record({ refreshToken: nearly(fc.constant('x'.repeat(43))) }).map(asJson), {
      nil: undefined,
    });
    expect.hasAssertions();
    await assertFuzzed(
      fc.asyncProperty(names, headers, bodies, async (name, headers, body) => {
        const { path } = declarationOf(name);
        expectDeclared(declarationOf(name), await doors.send(path, { headers, ...(body && { body }) }));
      }),
      fuzzRuns(150, 0.1),
    );
  });

  it('as a device: any steps in any order, as forms and as JSON', async () => {
    // One whose session nobody has ended.
    const owner = await createOwner(doors.bench.api);
    const done = new Set<EndpointName>();
    await assertFuzzed(
      fc.asyncProperty(
        fc.array(deviceStep, { minLength: 2, maxLength: 8 }),
        fc.boolean(),
        async (steps, isApproved) => {
          const begun = await doors.send('/api/auth/device/code', { body: asJson({ client_id: 'lilac-cli' }) });
          const { device_code, user_code } = begun.body as Record<string, string>;
          const known: Record<string, unknown> = { device_code, userCode: user_code, approve: isApproved };
          for (const { name, fields, isForm } of steps) {
            const declaration = declarationOf(name);
            const filled = Object.entries(fields).map(([field, value]) => [
              field,
              value === KNOWN ? known[field] : value,
            ]);
            const body = isForm ? formOf(filled as Fields) : asJson(Object.fromEntries(filled as Fields));
            const headers = {
              'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
              ...(declaration.credential === 'session' && { authorization: `Bearer ${owner.token}` }),
            };
            const code = expectDeclared(declaration, await doors.send(declaration.path, { body, headers }), ['MT002']);
            if (code === null) done.add(name);
            doors.bench.api.clock.advance(6000);
          }
          // Its token runs out while devices wait.
          owner.token = await doors.bench.api.accessTokens.issue(owner);
        },
      ),
      { ...fuzzRuns(60, 0.2), examples: [[RIGHT_STEPS, true]] },
    );
    expect([...done].toSorted()).toEqual([
      'auth.device.code',
      'auth.device.decide',
      'auth.device.lookup',
      'auth.device.token',
    ]);
  });
});

type Fields = [string, unknown][];
const KNOWN = 'what is known';
const known = (field: string) =>
  [field, fc.oneof({ weight: 6, arbitrary: fc.constant(KNOWN) }, wildText, hostile)] as const;

function stepOf(name: EndpointName, fields: (readonly [string, fc.Arbitrary<unknown>])[]) {
  return fc.record({
    name: fc.constant(name),
    fields: fc.record(Object.fromEntries(fields), { requiredKeys: fields.map(([field]) => field) }),
    isForm: fc.boolean(),
  });
}

const client = ['client_id', fc.oneof({ weight: 6, arbitrary: fc.constant('lilac-cli') }, wildText, hostile)] as const;
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const grant = fc.constant(GRANT);
const deviceStep = fc.oneof(
  stepOf('auth.device.code', [client]),
  {
    weight: 4,
    arbitrary: stepOf('auth.device.token', [
      ['grant_type', fc.oneof({ weight: 8, arbitrary: grant }, wildText)],
      known('device_code'),
      client,
    ]),
  },
  { weight: 2, arbitrary: stepOf('auth.device.lookup', [known('userCode')]) },
  { weight: 2, arbitrary: stepOf('auth.device.decide', [known('userCode'), known('approve')]) },
);

const RIGHT_STEPS: { name: EndpointName; fields: Record<string, unknown>; isForm: boolean }[] = [
  { name: 'auth.device.code', fields: { client_id: 'lilac-cli' }, isForm: true },
  { name: 'auth.device.lookup', fields: { userCode: KNOWN }, isForm: false },
  { name: 'auth.device.decide', fields: { userCode: KNOWN, approve: KNOWN }, isForm: false },
  {
    name: 'auth.device.token',
    fields: { grant_type: GRANT, device_code: KNOWN, client_id: 'lilac-cli' },
    isForm: true,
  },
];

function formOf(fields: Fields): string {
  const pairs = fields.map(([name, value]) => [name, typeof value === 'string' ? value.toWellFormed() : asJson(value)]);
  return new URLSearchParams(pairs).toString();
}

function inHeader(value: unknown): string {
  return encodeURIComponent((typeof value === 'string' ? value : asJson(value)).toWellFormed()).slice(0, 4000);
}
