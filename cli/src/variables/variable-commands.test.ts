import { describe, expect, it } from 'vitest';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';

/** A platform with one environment, which has the variables A and OLD. */
async function startWithVariables() {
  const platform = await startPlatformDouble({
    '/api/environments/get': { body: { id: 'env_1', environment_vars: { A: '1', OLD: 'kept' } } },
    '/api/environments/update': { body: { id: 'env_1', memory: null } },
  });
  const environment = { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' };
  const sent = () => platform.received.filter(({ path }) => path.endsWith('/update')).map(({ body }) => body);
  return { environment, sent, [Symbol.dispose]: () => platform[Symbol.dispose]() };
}

describe('lilac envs set', () => {
  it('keeps what is not named, takes values as they are, and prints none', async () => {
    using platform = await startWithVariables();
    const value = 'secret=1\n  two "lines" ';
    const { exitCode, out, err } = await lilac(['envs', 'set', 'env_1', `NEW=${value}`, 'A=2'], platform.environment);
    expect(platform.sent()).toEqual([{ environmentId: 'env_1', environmentVarsPatch: { A: '2', NEW: value } }]);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(out).toBe(
      'Id:       env_1\nAdded:    NEW\nChanged:  A\n\n' +
        'It applies on the next build. To start one: lilac envs deploy env_1\n',
    );
  });

  it('takes the application by --app, as "env push" does', async () => {
    using platform = await startWithVariables();
    for (const line of ['env set --app env_1 A=2', 'env set A=2 --app env_1']) {
      expect(await lilac(line, platform.environment)).toMatchObject({ exitCode: 0 });
      expect(platform.sent().at(-1)).toEqual({ environmentId: 'env_1', environmentVarsPatch: { A: '2' } });
    }
  });

  it('sends nothing where everything is so already', async () => {
    using platform = await startWithVariables();
    const { out } = await lilac('envs set env_1 A=1', platform.environment);
    expect(out).toContain('Unchanged:  A\n\nNothing was changed.');
    expect(platform.sent()).toEqual([]);
  });

  it('takes the value of a bare name from standard input, without the end of the line', async () => {
    using platform = await startWithVariables();
    await lilac('envs set env_1 PEM', platform.environment, { piped: 'line 1\nline 2\n' });
    expect(platform.sent()).toMatchObject([{ environmentVarsPatch: { PEM: 'line 1\nline 2' } }]);
    const two = await lilac('envs set env_1 PEM KEY', platform.environment, { piped: 'one' });
    expect(two).toMatchObject({ exitCode: 2, err: expect.stringContaining('Standard input holds one value') });
  });

  it('asks a person for the value of a bare name', async () => {
    using platform = await startWithVariables();
    const asked = await lilac('envs set env_1 X Y', platform.environment, { isTerminal: true, typed: ['x', 'y'] });
    expect(platform.sent()).toMatchObject([{ environmentVarsPatch: { X: 'x', Y: 'y' } }]);
    expect(asked.err).toBe('Value of X: Value of Y: ');
  });

  it('says which names changed as JSON, each list there even when empty', async () => {
    using platform = await startWithVariables();
    const { out } = await lilac('envs set env_1 A=2 --json', platform.environment);
    const lists = { added: [], removed: [], unchanged: [], not_set: [] };
    expect(JSON.parse(out)).toEqual({ id: 'env_1', changed: ['A'], ...lists });
  });

  it.each([
    ['envs set env_1', 'Missing: NAME=value. Usage: lilac envs set [<environment-id>] <NAME=value>…'],
    ['envs set', 'Missing: environment-id, NAME=value'],
    ['envs set env_1 =value', 'There is no name before the ='],
    ['envs unset env_1 A=1', 'Names only: "A" without a value'],
  ])('2 for "lilac %s"', async (line, message) => {
    using platform = await startWithVariables();
    const { exitCode, err } = await lilac(line, platform.environment);
    expect(exitCode).toBe(2);
    expect(err).toContain(message);
  });
});

describe('lilac envs unset', () => {
  it('removes what is named, keeps the rest, and says what was not there', async () => {
    using platform = await startWithVariables();
    const { out } = await lilac('envs unset env_1 A NEVER', platform.environment);
    expect(platform.sent()).toEqual([{ environmentId: 'env_1', environmentVarsPatch: { A: null } }]);
    expect(out).toContain('Removed:  A\nNot set:  NEVER\n');
  });
});

describe('lilac envs update --environment-vars', () => {
  const line = 'envs update env_1 --environment-vars A=2';

  it('tells which variables it removes, and how to keep them', async () => {
    using platform = await startWithVariables();
    const { exitCode, out, err } = await lilac(line, platform.environment);
    expect(exitCode).toBe(0);
    expect(err).toContain('It removes OLD.\nTo change some and keep the others: lilac envs set env_1 NAME=value');
    expect(out).toBe('Id:  env_1\n');
    expect(platform.sent()).toEqual([{ environmentId: 'env_1', environmentVars: { A: '2' } }]);
  });

  it('asks a person first, and changes nothing without a yes', async () => {
    using platform = await startWithVariables();
    const refused = await lilac(line, platform.environment, { isTerminal: true, typed: [''] });
    expect(refused).toMatchObject({ exitCode: 1, out: '', err: expect.stringContaining('Nothing was changed.') });
    expect(platform.sent()).toEqual([]);
    await lilac(line, platform.environment, { isTerminal: true, typed: ['y'] });
    expect(platform.sent()).toHaveLength(1);
  });

  it('says nothing where nothing is lost', async () => {
    using platform = await startWithVariables();
    for (const harmless of [`${line} --environment-vars OLD=kept`, 'envs update env_1 --name next']) {
      expect((await lilac(harmless, platform.environment)).err).toBe('');
    }
  });
});
