import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pathsOf } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { createAccessTokens } from '../modules/accounts/access-token.ts';
import { verifyPassword } from '../modules/accounts/password.ts';
import { findUserByEmail } from '../modules/accounts/user-store.ts';
import { listActivityOfOrganisation } from '../modules/activity/activity-store.ts';
import { createOrganisation } from '../modules/organisations/create-organisation.ts';
import { findOrganisation } from '../modules/organisations/organisation-store.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { platformSecret } from '../secrets/platform-secrets-store.ts';
import { openOperatorBench, ownerCreate, PASSWORD, type OperatorBench } from '../testing/operator-bench.ts';

let bench: OperatorBench;
beforeEach(async () => {
  bench = await openOperatorBench();
});
afterEach(() => bench[Symbol.asyncDispose]());

describe('lilac admin owner create', () => {
  it('begins an installation that was never started, and prints one JSON document', async () => {
    expect(existsSync(bench.home)).toBe(false);
    const { exitCode, out, err } = await bench.lilac(ownerCreate('--password', PASSWORD, '--plan', 'pro', '--json'));
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(JSON.parse(out)).toEqual({
      userId: expect.stringMatching(/^usr_/) as string,
      organisationId: expect.stringMatching(/^org_/) as string,
      email: 'ada@example.org',
      plan: 'pro',
    });
  });

  it('takes the password from standard input, without its line break', async () => {
    // With its line break it would be long enough.
    expect(await bench.lilac(ownerCreate('--password-stdin'), { input: '7 signs\n' })).toMatchObject({ exitCode: 2 });
    expect(await bench.lilac(ownerCreate('--password-stdin'), { input: '8 signs!\n' })).toMatchObject({ exitCode: 0 });
  });

  it('1 when the address is taken, with nothing on standard output', async () => {
    await bench.createOwner();
    const again = await bench.lilac(ownerCreate('--password', PASSWORD, '--json'));
    expect(again).toEqual({
      exitCode: 1,
      out: '',
      err: 'lilac: An account with this e-mail address exists already.\n',
    });
  });

  it.each([
    ['a password that is too short', ['--password', 'short'], '8 to 256 characters'],
    ['no password', [], 'give the password by --password-stdin'],
    ['two passwords', ['--password', PASSWORD, '--password-stdin'], 'cannot be used with'],
    ['a plan there is none of', ['--password', PASSWORD, '--plan', 'gold'], 'free, pro, enterprise'],
  ])('2 on %s', async (_, more, message) => {
    const { exitCode, out, err } = await bench.lilac(ownerCreate(...more));
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toContain(message);
  });
});

describe('lilac admin session create', () => {
  it('signs a person in: the server would accept the token', async () => {
    const { userId, organisationId } = await bench.createOwner();
    const { out } = await bench.lilac(['admin', 'session', 'create', '--email', 'ADA@example.org', '--json']);
    const session = JSON.parse(out) as { token: string };
    expect(session).toEqual({
      token: expect.any(String) as string,
      refreshToken: expect.any(String) as string,
      organisationId,
    });
    const keyring = openKeyring(pathsOf(bench).keyring);
    const signingKey = await platformSecret({ store: bench.store, keyring }, 'access-token-signing');
    const caller = await createAccessTokens({ signingKey, clock: systemClock }).verify(session.token);
    expect(caller).toMatchObject({ kind: 'session', userId });
  });

  it('names the organisation that is asked for, if the person is a member', async () => {
    const { userId } = await bench.createOwner();
    const other = await bench.store.db
      .transaction()
      .execute((tx) => createOrganisation(tx, { name: 'Other', plan: 'free', ownerId: userId }));
    const ask = ['admin', 'session', 'create', '--email', 'ada@example.org', '--json', '--organisation'];
    expect(JSON.parse((await bench.lilac([...ask, other.id])).out)).toMatchObject({ organisationId: other.id });
    const refused = await bench.lilac([...ask, 'org_elsewhere']);
    expect(refused).toMatchObject({ exitCode: 1, out: '' });
    expect(refused.err).toContain(`Other (${other.id})`);
  });

  it('1 when nobody has the address', async () => {
    await bench.createOwner();
    const { exitCode, err } = await bench.lilac(['admin', 'session', 'create', '--email', 'bob@example.org']);
    expect(exitCode).toBe(1);
    expect(err).toContain('Nobody has the address bob@example.org');
  });
});

const SET_PASSWORD = ['admin', 'password', 'set', '--email', 'ada@example.org', '--password-stdin'];
const NEW_PASSWORD = 'another one of nine';

describe('lilac admin password set', () => {
  it('gives a person another password and signs them out; what they had before opens nothing', async () => {
    const { userId } = await bench.createOwner();
    await bench.lilac(['admin', 'session', 'create', '--email', 'ada@example.org']);
    const { exitCode, out } = await bench.lilac(SET_PASSWORD, { input: `${NEW_PASSWORD}\n` });
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringContaining('signed out everywhere') as string });
    const user = await findUserByEmail(bench.store.db, 'ada@example.org');
    expect(await verifyPassword(user!.password_hash, NEW_PASSWORD)).toBe(true);
    expect(await verifyPassword(user!.password_hash, PASSWORD)).toBe(false);
    const open = await bench.store.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .execute();
    expect(open).toEqual([]);
  });

  it('leaves the second factor, unless that is lost too', async () => {
    const { userId } = await bench.createOwner();
    const enrol = () =>
      bench.store.db
        .updateTable('users')
        .set({ totp_secret: 'sealed', totp_enabled_at: new Date() })
        .where('id', '=', userId)
        .execute();
    const isEnrolled = async () => (await findUserByEmail(bench.store.db, 'ada@example.org'))?.totp_enabled_at !== null;
    await enrol();
    await bench.lilac(SET_PASSWORD, { input: NEW_PASSWORD });
    expect(await isEnrolled()).toBe(true);
    await bench.lilac([...SET_PASSWORD, '--remove-second-factor'], { input: NEW_PASSWORD });
    expect(await isEnrolled()).toBe(false);
  });

  it.each(['short', ''])('2 for %j as a password, and the old one stays good', async (password) => {
    await bench.createOwner();
    const { exitCode, err } = await bench.lilac(SET_PASSWORD, { input: password });
    expect(exitCode).toBe(2);
    expect(err).toContain('The password must have 8 to 256 characters.');
    const user = await findUserByEmail(bench.store.db, 'ada@example.org');
    expect(await verifyPassword(user!.password_hash, PASSWORD)).toBe(true);
  });
});

describe('lilac admin plan set', () => {
  it('changes the plan in the store', async () => {
    const { organisationId } = await bench.createOwner();
    const { out } = await bench.lilac([
      'admin',
      'plan',
      'set',
      '--organisation',
      organisationId,
      '--plan',
      'free',
      '--json',
    ]);
    expect(JSON.parse(out)).toEqual({ organisationId, name: 'Acme', plan: 'free' });
    expect(await findOrganisation(bench.store.db, organisationId)).toMatchObject({ plan: 'free' });
  });

  it('1 when there is no such organisation', async () => {
    await bench.createOwner();
    expect(await bench.lilac(['admin', 'plan', 'set', '--organisation', 'org_none', '--plan', 'pro'])).toMatchObject({
      exitCode: 1,
    });
  });
});

describe('lilac admin key rotate', () => {
  it('seals with a new key, and what was issued before stays good', async () => {
    await bench.createOwner();
    await bench.lilac(['admin', 'session', 'create', '--email', 'ada@example.org']);
    const before = openKeyring(pathsOf(bench).keyring);
    const keyBefore = before.currentKeyId();
    const secretBefore = await platformSecret({ store: bench.store, keyring: before }, 'access-token-signing');
    const { exitCode, out } = await bench.lilac(['admin', 'key', 'rotate', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ rewrapped: 1, unreadable: [] });
    const after = openKeyring(pathsOf(bench).keyring);
    expect(after.currentKeyId()).not.toBe(keyBefore);
    expect(await platformSecret({ store: bench.store, keyring: after }, 'access-token-signing')).toEqual(secretBefore);
  });
});

describe('what the operator did', () => {
  it("is in the organisation's activity, as the operator's", async () => {
    const { organisationId } = await bench.createOwner();
    await bench.lilac(['admin', 'plan', 'set', '--organisation', organisationId, '--plan', 'enterprise']);
    await bench.lilac(['admin', 'plan', 'set', '--organisation', organisationId, '--plan', 'enterprise']);
    await bench.lilac(['admin', 'session', 'create', '--email', 'ada@example.org']);
    await bench.lilac(SET_PASSWORD, { input: PASSWORD });
    const entries = await listActivityOfOrganisation(bench.store.db, organisationId, { limit: 10, offset: 0 });
    expect(entries.map(({ action, actor_email, subject }) => [action, actor_email, subject])).toEqual([
      ['operator_set_password', 'operator', 'ada@example.org'],
      ['operator_signed_in', 'operator', 'ada@example.org'],
      ['plan_updated', 'operator', 'Acme'],
      ['organisation_created', 'operator', 'Acme'],
    ]);
  });
});
