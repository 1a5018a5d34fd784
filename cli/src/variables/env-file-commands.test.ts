import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';

let cwd: string;
beforeEach(() => (cwd = mkdtempSync(join(tmpdir(), 'lilac-env-'))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const secret = 'pa$$word # 1';

/** One environment, whose variables are these in turn, each time it is asked. */
async function startWith(...turns: Record<string, string>[]) {
  const next = () => (turns.length > 1 ? turns.shift()! : turns[0]!);
  const platform = await startPlatformDouble({
    '/api/environments/get': () => ({ body: { id: 'env_1', application_id: 'app_1', environment_vars: next() } }),
    '/api/environments/update': { body: { id: 'env_1' } },
  });
  const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
  const sent = () => platform.received.filter(({ path }) => path.endsWith('/update')).map(({ body }) => body);
  const call = (
    command: string,
    { app = ' --app env_1', ...more }: Parameters<typeof lilac>[2] & { app?: string } = {},
  ) => lilac(command + app, environment, { cwd, ...more });
  return { call, sent, [Symbol.dispose]: () => platform[Symbol.dispose]() };
}

describe('lilac env push', () => {
  it('shows names, asks, and keeps what the file does not name', async () => {
    using platform = await startWith({ A: '1', KEPT: 'x' });
    writeFileSync(join(cwd, '.env'), `A=2\nNEW='${secret}'\n`);
    const { exitCode, out, err } = await platform.call('env push', { isTerminal: true, typed: ['y'] });
    expect(exitCode).toBe(0);
    expect(err).toBe('~ A\n+ NEW\nMake these changes? [y/N] ');
    expect(out + err).not.toContain(secret);
    expect(platform.sent()).toEqual([{ environmentId: 'env_1', environmentVarsPatch: { A: '2', NEW: secret } }]);
  });

  it('sends nothing where the answer is no, or there is nothing to change', async () => {
    using platform = await startWith({ A: '1' });
    writeFileSync(join(cwd, '.env'), 'A=2');
    expect(await platform.call('env push', { isTerminal: true, typed: [''] })).toMatchObject({ exitCode: 1 });
    writeFileSync(join(cwd, '.env'), 'A=1');
    expect((await platform.call('env push', { isTerminal: true })).out).toContain('Nothing to change');
    expect(platform.sent()).toEqual([]);
  });

  it('removes only with --replace, and without a person only with --yes', async () => {
    using platform = await startWith({ A: '1', OLD: secret });
    writeFileSync(join(cwd, '.env'), 'A=1');
    const refused = await platform.call('env push --replace');
    expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining('removes OLD. Add --yes') });
    expect(platform.sent()).toEqual([]);
    const { err } = await platform.call('env push --replace --yes --show-values');
    expect(err).toBe(`- OLD=${secret}\n`);
    expect(platform.sent()).toEqual([{ environmentId: 'env_1', environmentVarsPatch: { OLD: null } }]);
  });

  it('refuses where somebody else changed them since they were read', async () => {
    using platform = await startWith({}, { A: '1' }, { A: '2', B: '3' });
    writeFileSync(join(cwd, '.env'), 'C=3');
    const { exitCode, err } = await platform.call('env push --yes');
    expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining('Somebody changed A, B') });
    expect(platform.sent()).toEqual([]);
  });

  it('reads standard input, and refuses what is no such file', async () => {
    using platform = await startWith({});
    await platform.call('env push -', { piped: 'A="x\ny"\n' });
    expect(platform.sent()).toMatchObject([{ environmentVarsPatch: { A: 'x\ny' } }]);
    expect((await platform.call('env push none')).err).toContain('There is no file');
    writeFileSync(join(cwd, 'empty'), '# nothing\n');
    expect((await platform.call('env push empty')).err).toContain('There is no variable in empty');
  });
});

describe('lilac env pull', () => {
  it('writes a file for its owner only, which push reads back as it was', async () => {
    const variables = { A: secret, B: "it's\n" };
    using platform = await startWith(variables);
    const { exitCode, out } = await platform.call('env pull');
    expect(exitCode).toBe(0);
    expect(out).not.toContain(secret);
    expect(statSync(join(cwd, '.env')).mode & 0o777).toBe(0o600);
    expect((await platform.call('env push')).out).toContain('Nothing to change');
  });

  it('replaces a file only after a question, or with --yes', async () => {
    using platform = await startWith({ A: '2' });
    const file = join(cwd, 'mine');
    writeFileSync(file, 'A=1\nB=2\n', { mode: 0o644 });
    expect(await platform.call('env pull mine')).toMatchObject({ exitCode: 2 });
    const asked = await platform.call('env pull mine', { isTerminal: true, typed: ['n'] });
    expect(asked).toMatchObject({ exitCode: 1, err: expect.stringContaining('~ A\n- B\nReplace mine?') });
    expect(readFileSync(file, 'utf8')).toBe('A=1\nB=2\n');
    await platform.call('env pull mine --yes');
    expect(readFileSync(file, 'utf8')).toBe('A=2\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('makes no folder that is not there', async () => {
    using platform = await startWith({ A: '2' });
    const { exitCode, err } = await platform.call('env pull nowhere/mine');
    expect({ exitCode, err }).toMatchObject({ exitCode: 2, err: expect.stringContaining('There is no folder') });
    expect(existsSync(join(cwd, 'nowhere'))).toBe(false);
  });
});

describe('lilac env list', () => {
  it('shows names, and values only when asked for them', async () => {
    using platform = await startWith({ B: secret, A: '1' });
    const { out } = await platform.call('env list env_1', { app: '' });
    expect(out).toBe('A\nB\n');
    const { out: values } = await platform.call('env list env_1 --show-values', { app: '' });
    expect(values).toBe(`A=1\nB='${secret}'\n`);
  });
});
