import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pathsOf, readConfig } from '../config.ts';
import { systemClock } from '../lib/clock.ts';
import { tryLock } from '../lib/file-lock.ts';
import { createAccessTokens } from '../modules/accounts/access-token.ts';
import { findUser } from '../modules/accounts/user-store.ts';
import { createOrganisation } from '../modules/organisations/create-organisation.ts';
import { findOrganisation } from '../modules/organisations/organisation-store.ts';
import { openKeyring } from '../secrets/key-file.ts';
import { platformSecret } from '../secrets/platform-secrets-store.ts';
import { foreignFolder } from '../testing/foreign-folder.ts';
import { createTestStore, type TestStore } from '../testing/test-store.ts';
import { runOperatorCommand } from './program.ts';

const PASSWORD = 'correct horse battery';
let folder: string;
let home: string;
let store: TestStore;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lilac-operator-'));
  home = join(folder, 'home');
  store = await createTestStore();
});

afterEach(async () => {
  await store[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

interface LilacOptions {
  input?: string;
  home?: string;
  /** Null for the embedded store. */
  databaseUrl?: string | null;
  environment?: Record<string, string>;
}

async function lilac(argv: readonly string[], options: LilacOptions = {}) {
  let out = '';
  let err = '';
  const environment = { LILAC_HOME: options.home ?? home, ...options.environment };
  const { databaseUrl = store.url } = options;
  const exitCode = await runOperatorCommand(argv, {
    terminal: {
      print: (line) => (out += `${line}\n`),
      complain: (line) => (err += `${line}\n`),
      readInput: () => Promise.resolve(options.input ?? ''),
      paint: (_, text) => text,
    },
    loadConfig: () => ({ ...readConfig(environment), databaseUrl }),
    environmentOf: () => environment,
  });
  return { exitCode, out, err };
}

const ownerCreate = (...more: string[]) =>
  ['admin', 'owner', 'create', '--email', 'ada@example.org', '--organisation', 'Acme', ...more] as const;

async function createOwner(): Promise<{ userId: string; organisationId: string }> {
  const { out } = await lilac([...ownerCreate('--password', PASSWORD, '--plan', 'pro', '--json')]);
  return JSON.parse(out) as { userId: string; organisationId: string };
}

async function backUp() {
  const path = join(folder, 'one.backup');
  const { out } = await lilac(['backup', path, '--json']);
  return { path, report: JSON.parse(out) as { path: string; rows: Record<string, number> } };
}

describe('lilac admin owner create', () => {
  it('begins an installation that was never started, and prints one JSON document', async () => {
    expect(existsSync(home)).toBe(false);
    const { exitCode, out, err } = await lilac(ownerCreate('--password', PASSWORD, '--plan', 'pro', '--json'));
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(JSON.parse(out)).toEqual({
      userId: expect.stringMatching(/^usr_/) as string,
      organisationId: expect.stringMatching(/^org_/) as string,
      email: 'ada@example.org',
      plan: 'pro',
    });
  });

  it('takes the password from standard input, without its line break', async () => {
    expect(await lilac(ownerCreate('--password-stdin'), { input: `${PASSWORD}\n` })).toMatchObject({ exitCode: 0 });
    expect(await lilac(ownerCreate('--password-stdin'), { input: 'too short\n' })).toMatchObject({ exitCode: 2 });
  });

  it('1 when the address is taken, with nothing on standard output', async () => {
    await createOwner();
    const again = await lilac(ownerCreate('--password', PASSWORD, '--json'));
    expect(again).toEqual({
      exitCode: 1,
      out: '',
      err: 'lilac: An account with this e-mail address exists already.\n',
    });
  });

  it.each([
    ['a password that is too short', ['--password', 'short'], '12 to 256 characters'],
    ['no password', [], 'give the password by --password-stdin'],
    ['two passwords', ['--password', PASSWORD, '--password-stdin'], 'cannot be used with'],
    ['a plan there is none of', ['--password', PASSWORD, '--plan', 'gold'], 'free, pro, enterprise'],
  ])('2 on %s', async (_, more, message) => {
    const { exitCode, out, err } = await lilac(ownerCreate(...more));
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toContain(message);
  });
});

describe('lilac admin session create', () => {
  it('signs a person in: the server would accept the token', async () => {
    const { userId, organisationId } = await createOwner();
    const { out } = await lilac(['admin', 'session', 'create', '--email', 'ADA@example.org', '--json']);
    const session = JSON.parse(out) as { token: string };
    expect(session).toEqual({
      token: expect.any(String) as string,
      refreshToken: expect.any(String) as string,
      organisationId,
    });
    const keyring = openKeyring(pathsOf({ home }).keyring);
    const signingKey = await platformSecret({ store, keyring }, 'access-token-signing');
    const caller = await createAccessTokens({ signingKey, clock: systemClock }).verify(session.token);
    expect(caller).toMatchObject({ kind: 'session', userId });
  });

  it('names the organisation that is asked for, if the person is a member', async () => {
    const { userId } = await createOwner();
    const other = await store.db
      .transaction()
      .execute((tx) => createOrganisation(tx, { name: 'Other', plan: 'free', ownerId: userId }));
    const ask = ['admin', 'session', 'create', '--email', 'ada@example.org', '--json', '--organisation'];
    expect(JSON.parse((await lilac([...ask, other.id])).out)).toMatchObject({ organisationId: other.id });
    const refused = await lilac([...ask, 'org_elsewhere']);
    expect(refused).toMatchObject({ exitCode: 1, out: '' });
    expect(refused.err).toContain(`Other (${other.id})`);
  });

  it('1 when nobody has the address', async () => {
    await createOwner();
    const { exitCode, err } = await lilac(['admin', 'session', 'create', '--email', 'bob@example.org']);
    expect(exitCode).toBe(1);
    expect(err).toContain('Nobody has the address bob@example.org');
  });
});

describe('lilac admin plan set', () => {
  it('changes the plan in the store', async () => {
    const { organisationId } = await createOwner();
    const { out } = await lilac(['admin', 'plan', 'set', '--organisation', organisationId, '--plan', 'free', '--json']);
    expect(JSON.parse(out)).toEqual({ organisationId, name: 'Acme', plan: 'free' });
    expect(await findOrganisation(store.db, organisationId)).toMatchObject({ plan: 'free' });
  });

  it('1 when there is no such organisation', async () => {
    await createOwner();
    expect(await lilac(['admin', 'plan', 'set', '--organisation', 'org_none', '--plan', 'pro'])).toMatchObject({
      exitCode: 1,
    });
  });
});

describe('lilac admin key rotate', () => {
  it('seals with a new key, and what was issued before stays good', async () => {
    await createOwner();
    await lilac(['admin', 'session', 'create', '--email', 'ada@example.org']);
    const before = openKeyring(pathsOf({ home }).keyring);
    const keyBefore = before.currentKeyId();
    const secretBefore = await platformSecret({ store, keyring: before }, 'access-token-signing');
    const { exitCode, out } = await lilac(['admin', 'key', 'rotate', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ rewrapped: 1, unreadable: [] });
    const after = openKeyring(pathsOf({ home }).keyring);
    expect(after.currentKeyId()).not.toBe(keyBefore);
    expect(await platformSecret({ store, keyring: after }, 'access-token-signing')).toEqual(secretBefore);
  });
});

describe('lilac backup and restore', () => {
  it('carry everything to an empty store of another home', async () => {
    const { userId } = await createOwner();
    const { path, report } = await backUp();
    expect(report).toMatchObject({ path, rows: { users: 1, organisations: 1 }, missingKeys: [] });
    await using elsewhere = await createTestStore();
    const options = { home: join(folder, 'new-home'), databaseUrl: elsewhere.url };
    const restored = await lilac(['restore', path, '--json'], options);
    expect(restored).toMatchObject({ exitCode: 0, err: '' });
    expect(JSON.parse(restored.out)).toMatchObject({ rows: report.rows });
    expect(await findUser(elsewhere.db, userId)).toMatchObject({ email: 'ada@example.org' });
  });

  it('1 when the store is in use, unless everything is to be replaced', async () => {
    await createOwner();
    const { path } = await backUp();
    const refused = await lilac(['restore', path]);
    expect(refused).toMatchObject({ exitCode: 1, out: '' });
    expect(refused.err).toContain('in use');
    expect(await lilac(['restore', path, '--replace'])).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['where a file is already', () => ['backup', join(folder, 'taken')], 'already'],
    ['into a folder that is not there', () => ['backup', join(folder, 'no', 'folder')], 'ENOENT'],
    ['from a file that is not there', () => ['restore', join(folder, 'nothing')], 'There is no file'],
    ['from a file that is something else', () => ['restore', join(folder, 'taken')], 'cannot be restored'],
  ])('1 %s', async (_, argv, message) => {
    await createOwner();
    writeFileSync(join(folder, 'taken'), 'something else');
    const { exitCode, out, err } = await lilac(argv());
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toContain(message);
    expect(err).not.toContain('nobody expected');
  });

  it('1 while a supervisor holds the home of an embedded store', async () => {
    const { supervisorLock } = pathsOf({ home });
    mkdirSync(dirname(supervisorLock), { recursive: true, mode: 0o700 });
    const release = tryLock(supervisorLock);
    const { exitCode, err } = await lilac(['restore', join(folder, 'any')], { databaseUrl: null });
    release();
    expect(exitCode).toBe(1);
    expect(err).toContain('Stop the server');
    expect(existsSync(pathsOf({ home }).store)).toBe(false);
  });
});

describe("an operator's command", () => {
  it('1 where there is no installation, and makes none', async () => {
    const { exitCode, err } = await lilac(['admin', 'key', 'rotate']);
    expect(exitCode).toBe(1);
    expect(err).toContain(`There is no installation in ${home}`);
    expect(existsSync(home)).toBe(false);
    expect(await lilac(['backup'], { home: folder })).toMatchObject({ exitCode: 1 });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("1 on another user's installation, for root too", async () => {
    const { exitCode, err } = await lilac(ownerCreate('--password', PASSWORD), { home: foreignFolder(folder) });
    expect(exitCode).toBe(1);
    expect(err).toContain('belongs to another user');
  });

  it('1 when the store does not answer, and says which setting names it', async () => {
    const { exitCode, err } = await lilac(ownerCreate('--password', PASSWORD), {
      databaseUrl: 'postgresql://lilac:secret-word@127.0.0.1:1/lilac',
    });
    expect(exitCode).toBe(1);
    expect(err).toContain('LILAC_DATABASE_URL');
    expect(err).not.toContain('secret-word');
  });

  it('1 on a setting that makes no sense', async () => {
    const { exitCode, err } = await lilac(['doctor'], { environment: { LILAC_PORT: 'many' } });
    expect({ exitCode, err }).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('LILAC_PORT must be') as string,
    });
  });

  it.each([
    ['an unknown command', ['admin', 'owners'], 'owners'],
    ['an unknown option', ['doctor', '--jsn'], 'Did you mean --json'],
    ['a missing option', ['admin', 'session', 'create'], '--email'],
  ])('2 on %s', async (_, argv, message) => {
    const { exitCode, out, err } = await lilac(argv);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toContain(message);
  });

  it('0 when it is asked how it is used', async () => {
    const { exitCode, out } = await lilac(['admin', 'owner', 'create', '--help']);
    expect(exitCode).toBe(0);
    expect(out).toContain('--password-stdin');
  });
});

describe('lilac doctor', () => {
  it('prints one JSON document with every check, and its exit code follows', async () => {
    await createOwner();
    const { exitCode, out } = await lilac(['doctor', '--json']);
    const report = JSON.parse(out) as { ok: boolean; checks: { id: string; status: string }[] };
    const statusOf = (id: string) => report.checks.find((check) => check.id === id)?.status;
    expect(exitCode).toBe(report.ok ? 0 : 1);
    expect(statusOf('store.server')).toBe('ok');
    expect(statusOf('store.schema')).toBe('ok');
    expect(statusOf('home.folder')).toBe('ok');
    expect(statusOf('home.key-file')).toBe('ok');
    expect(report.checks.length).toBeGreaterThan(15);
    for (const check of report.checks) expect(Object.keys(check)).toEqual(['id', 'status', 'found', 'advice']);
  });

  it('fails when the store cannot be reached', async () => {
    const { exitCode, out } = await lilac(['doctor', '--json'], {
      databaseUrl: 'postgresql://lilac@127.0.0.1:1/lilac',
    });
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ ok: false });
  });
});
