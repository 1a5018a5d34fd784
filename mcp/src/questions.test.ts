import { describe, expect, it } from 'vitest';
import { connectClient, type Answers, type Called } from './testing/connect-client.ts';

const refusal = (status: number, code: string) => ({ status, body: { message: 'It is refused.', code } });
const forbidden = (path: string) => ({ [path]: refusal(403, 'CA005') });
const environment = {
  id: 'env_1',
  name: 'preview',
  url: 'http://shop.test',
  is_production: false,
  custom_domain: null,
  environment_vars: { PASSWORD: 'hunter2-is-secret', MODE: 'live' },
};
const link = { database_id: 'db_1', environment_id: 'env_1', variable: 'DATABASE_URL', created_at: '2026-01-31' };

/** Where nobody is meant, nothing is found. */
const ofThing = (field: string, answer: unknown) => (body: Called['body']) =>
  body[field] === 'none' ? undefined : answer;

function platform(answers: Answers = {}): Answers {
  return {
    '/api/auth/profile': refusal(403, 'CA006'),
    '/api/environments/get': environment,
    '/api/environments/update': ofThing('environmentId', environment),
    '/api/environments/delete': ofThing('environmentId', { message: 'It is being deleted.' }),
    '/api/environments/databases': [{ ...link, name: 'Orders', database_type: 'postgresql', status: 'healthy' }],
    '/api/databases/get': { name: 'Orders' },
    '/api/databases/links': [link],
    '/api/databases/disconnect': ofThing('databaseId', { message: 'It is disconnected.' }),
    '/api/databases/delete': ofThing('databaseId', { message: 'It is being deleted.' }),
    ...answers,
  };
}

const environmentId = 'env_1';
const databaseId = 'db_1';
const calls = (called: Called[], path: string) =>
  called.filter((each) => each.path === path && !Object.values(each.body).includes('none')).length;

describe('variables', () => {
  it.each([
    [{ remove: ['PASSWORD', 'ABSENT'] }, 'removes PASSWORD in'],
    [{ set: { MODE: 'test', NEW: 'x' } }, 'replaces the value of MODE in'],
    [{ set: { MODE: 'test' }, remove: ['PASSWORD'] }, 'removes PASSWORD and replaces the value of MODE in'],
  ])('are lost only when the person agrees, who is told which: %j', async (change, told) => {
    for (const person of ['agrees', 'refuses'] as const) {
      await using connected = await connectClient({ answers: platform(), person });
      const { isError } = await connected.call('set_environment_variables', { environmentId, ...change });
      expect(isError).toBe(person === 'refuses');
      expect(calls(connected.called, '/api/environments/update')).toBe(person === 'refuses' ? 0 : 1);
      expect(connected.asked).toEqual([expect.stringContaining(told)]);
      expect(connected.asked.join()).not.toMatch(/hunter2|live|test"|ABSENT|NEW/);
    }
  });

  it('that are new, or stay as they are, need nobody', async () => {
    await using connected = await connectClient({ answers: platform(), person: 'refuses' });
    const change = { set: { NEW: 'x', MODE: 'live' }, remove: ['ABSENT'] };
    const { answer } = await connected.call('set_environment_variables', { environmentId, ...change });
    expect(answer).toMatchObject({ added: ['NEW'], changed: [], removed: [], count: 3 });
    expect(connected.asked).toEqual([]);
  });

  it('are spelt by an assistant that can ask nobody', async () => {
    await using connected = await connectClient({ answers: platform() });
    const change = { environmentId, set: { MODE: 'test' }, remove: ['PASSWORD'] };
    const refused = await connected.call('set_environment_variables', change);
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('"PASSWORD, MODE"') as string });
    expect(calls(connected.called, '/api/environments/update')).toBe(0);
    const done = await connected.call('set_environment_variables', { ...change, confirm: 'PASSWORD, MODE' });
    expect(done.answer).toMatchObject({ changed: ['MODE'], removed: ['PASSWORD'], count: 1 });
  });

  it('have names that are cut with a count, and found by a filter', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `V${index}_${'X'.repeat(200)}`);
    const many = { ...environment, environment_vars: Object.fromEntries(names.map((name) => [name, '1'])) };
    await using connected = await connectClient({ answers: platform({ '/api/environments/get': many }) });
    const listed = await connected.call('list_environment_variables', { environmentId });
    const { names: shown, names_left_out: leftOut } = listed.answer as { names: string[]; names_left_out: number };
    expect(shown.length + leftOut).toBe(400);
    const filtered = await connected.call('list_environment_variables', { environmentId, filter: 'v399_' });
    expect(filtered.answer).toMatchObject({ names: [names[399]], names_left_out: 0, count: 1 });
    const refused = await connected.call('set_environment_variables', { environmentId, remove: names });
    const confirm = /confirm: "([^"]+)"/.exec(refused.text)![1];
    const removed = await connected.call('set_environment_variables', { environmentId, remove: names, confirm });
    expect(removed).toMatchObject({ isError: false, answer: { count: 0 } });
    for (const { text } of [listed, refused, removed]) expect(text.length).toBeLessThan(8000);
  });
});

describe('a connected database', () => {
  it('is deleted by force only when the person knows who loses it', async () => {
    const links = [link, { ...link, variable: 'READER_URL' }];
    const answers = platform({ '/api/databases/links': links });
    await using connected = await connectClient({ answers, person: 'agrees' });
    const deletion = { databaseId, force: true };
    expect((await connected.call('delete_database', deletion)).isError).toBe(false);
    const told = '"preview" (http://shop.test) as DATABASE_URL, READER_URL.';
    expect(connected.asked).toEqual([expect.stringContaining(told)]);
  });

  it('is disconnected when the person agrees', async () => {
    await using connected = await connectClient({ answers: platform(), person: 'agrees' });
    const { answer } = await connected.call('disconnect_database', { databaseId, environmentId });
    expect(answer).toMatchObject({ environment_id: 'env_1', variable: 'DATABASE_URL' });
    expect(connected.asked).toEqual([expect.stringContaining('"Orders" away from "preview"')]);
    const other = await connected.call('disconnect_database', { databaseId, environmentId, variable: 'OTHER' });
    expect(other).toMatchObject({ isError: true, text: expect.stringContaining('get_database') as string });
    expect(connected.asked).toHaveLength(1);
  });
});

describe('nobody is asked in vain', () => {
  const production = { ...environment, is_production: true };
  const addressed = { environmentId, set: { DATABASE_URL: 'x' } };
  const tooMany = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`V${index}`, '1']));
  it.each([
    ['delete_environment', { environmentId }, { '/api/environments/get': production }, /delete_application/],
    ['delete_database', { databaseId }, {}, /"preview".*disconnect_database/],
    ['delete_environment', { environmentId }, forbidden('/api/environments/delete'), /CA005/],
    ['delete_database', { databaseId }, forbidden('/api/databases/delete'), /CA005/],
    ['delete_database', { databaseId, force: true }, forbidden('/api/databases/delete'), /CA005/],
    ['disconnect_database', { databaseId, environmentId }, forbidden('/api/databases/disconnect'), /CA005/],
    ['set_environment_variables', { environmentId, remove: ['MODE'] }, forbidden('/api/environments/update'), /CA005/],
    ['set_environment_variables', { ...addressed, remove: ['MODE'] }, {}, /DATABASE_URL.*disconnect_database/],
    ['set_environment_variables', { environmentId, remove: ['DATABASE_URL'] }, {}, /disconnect_database/],
    ['set_environment_variables', { environmentId, set: tooMany, remove: ['MODE'] }, {}, /at most 1000 variables/],
  ])('%s: %j', async (name, input, answers, why) => {
    await using connected = await connectClient({ answers: platform(answers), person: 'agrees' });
    const refused = await connected.call(name, input);
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(why) as string });
    expect(connected.asked).toEqual([]);
  });
});
