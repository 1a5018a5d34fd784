import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openLilac } from '../../../../cli/src/session/open-lilac.ts';
import { StoredPlatforms } from '../../../../cli/src/session/stored-platforms.ts';
import { createUser } from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';

const program = resolve(import.meta.dirname, '../../../../cli/src/main.ts');

/** Longer than an access token lives. */
const A_WHILE_MS = 20 * 60_000;

/** Somebody whom `lilac login` has signed in at an API that listens. */
async function signIn(api: TestApi) {
  const home = mkdtempSync(join(tmpdir(), 'lilac-command-line-'));
  const configFolder = join(home, 'lilac');
  const apiUrl = await api.app.listen({ host: '127.0.0.1', port: 0 });
  const { token, refreshToken, email } = await createUser(api);
  const session = new StoredPlatforms(configFolder).session(apiUrl);
  await session.write({ token, refreshToken });
  const open = () =>
    openLilac({
      settings: { token: undefined, configFolder },
      platform: { apiUrl },
    } as Parameters<typeof openLilac>[0]);
  const whoami = () =>
    promisify(execFile)(process.execPath, [program, 'whoami', '--json', '--api-url', apiUrl], {
      env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: home },
    });
  return {
    email,
    session,
    open,
    whoami,
    [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true }),
  };
}

describe('a session of the command line', () => {
  it('outlives its access tokens, also when several programs ask at the same moment', async () => {
    await using api = await startApi();
    await using person = await signIn(api);
    const seen = [(await person.session.read())?.refreshToken];
    for (let turn = 0; turn < 2; turn++) {
      api.clock.advance(A_WHILE_MS);
      const lilac = await person.open();
      expect(await lilac.call('auth.profile')).toMatchObject({ email: person.email });
      seen.push((await person.session.read())?.refreshToken);
    }
    api.clock.advance(A_WHILE_MS);
    const answers = await Promise.all([person.whoami(), person.whoami(), person.whoami()]);
    for (const { stdout } of answers) expect(JSON.parse(stdout)).toMatchObject({ email: person.email });
    seen.push((await person.session.read())?.refreshToken);
    expect(seen).not.toContain(undefined);
    expect(new Set(seen).size).toBe(4);
    expect((await api.store.pool.query('select from sessions where revoked_at is not null')).rowCount).toBe(0);
  });
});
