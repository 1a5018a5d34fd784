import { describe, expect, it } from 'vitest';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';

async function startWithLock() {
  const platform = await startPlatformDouble({
    '/api/environments/password': { body: { id: 'env_1', password_protected: true } },
  });
  const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
  const sent = () => platform.received.map(({ body }) => body);
  return { environment, sent, [Symbol.dispose]: () => platform[Symbol.dispose]() };
}

describe('lilac envs scale', () => {
  it('2 when neither bound is given', async () => {
    const { exitCode, err } = await lilac('envs scale env_1', { LILAC_TOKEN: 'lc_key' });
    expect(exitCode).toBe(2);
    expect(err).toContain('Give --min-instances, --max-instances or both.');
  });
});

describe('lilac envs password', () => {
  const enable = 'envs password env_1 --enabled';

  it('asks a person twice for a password that was left out', async () => {
    using platform = await startWithLock();
    const asked = await lilac(enable, platform.environment, {
      isTerminal: true,
      typed: ['open sesame', 'open sesame'],
    });
    expect(asked).toMatchObject({ exitCode: 0, err: 'New password: Once more: ' });
    expect(asked.out).toBe('Id:                  env_1\nPassword protected:  yes\n');
    expect(platform.sent()).toEqual([{ environmentId: 'env_1', enabled: true, password: 'open sesame' }]);
  });

  it.each([
    [['one', 'two'], 'These were not the same, and nothing was changed.'],
    [[''], 'Nothing was typed, and nothing was changed.'],
  ])('1 and no call, when %j is typed', async (typed, message) => {
    using platform = await startWithLock();
    const { exitCode, err } = await lilac(enable, platform.environment, { isTerminal: true, typed });
    expect(exitCode).toBe(1);
    expect(err).toContain(message);
    expect(platform.sent()).toEqual([]);
  });

  it('reads it from standard input with --password -', async () => {
    using platform = await startWithLock();
    await lilac(`${enable} --password -`, platform.environment, { piped: ' pass phrase \n' });
    expect(platform.sent()).toMatchObject([{ password: ' pass phrase ' }]);
    expect(await lilac(`${enable} --password -`, platform.environment)).toMatchObject({ exitCode: 2 });
  });

  it('2 and the way, where nobody can be asked', async () => {
    using platform = await startWithLock();
    const { exitCode, err } = await lilac(enable, platform.environment);
    expect(exitCode).toBe(2);
    expect(err).toContain('write it to standard input, and add "--password -"');
  });

  it('needs none to open an environment again', async () => {
    using platform = await startWithLock();
    expect(await lilac('envs password env_1 --no-enabled', platform.environment)).toMatchObject({ exitCode: 0 });
    expect(platform.sent()).toEqual([{ environmentId: 'env_1', enabled: false }]);
  });

  it('shows both ways to say whether, when neither was said', async () => {
    const { exitCode, err } = await lilac('envs password env_1');
    expect(exitCode).toBe(2);
    expect(err).toContain('Missing: enabled. Usage: lilac envs password [<environment-id>] --enabled|--no-enabled');
  });
});

describe('the password of a database', () => {
  it('is read from standard input with -, and left to the platform where none is given', async () => {
    using platform = await startPlatformDouble({
      '/api/databases/create': { status: 201, body: { id: 'db_1' } },
      '/api/databases/rotate-password': { body: { connectionString: 'postgresql://…' } },
    });
    const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
    await lilac('db create Shop --no-wait --admin-password -', environment, { piped: 'correct-horse\n' });
    await lilac('db rotate db_1 --new-password -', environment, { piped: 'another-horse\n' });
    await lilac('db rotate db_1', environment);
    expect(platform.received.map(({ body }) => body)).toEqual([
      { name: 'Shop', adminPassword: 'correct-horse' },
      { databaseId: 'db_1', newPassword: 'another-horse' },
      { databaseId: 'db_1' },
    ]);
  });
});
