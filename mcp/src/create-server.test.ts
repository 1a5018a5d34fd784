import { describe, expect, it } from 'vitest';
import { connectClient, type Answers, type Called } from './testing/connect-client.ts';
import { tools } from './tools/tools.ts';

const ofKey = { '/api/auth/profile': { status: 403, body: { message: 'Keys are refused.', code: 'CA006' } } };
const time = '2026-01-31T12:00:00.000Z';

const environment = {
  id: 'env_1',
  application_id: 'app_1',
  name: 'production',
  vcs_branch: 'main',
  is_production: true,
  status: 'healthy',
  url: 'http://shop.test',
  custom_domain: null,
  auto_deploy: false,
  build_command: null,
  output_directory: null,
  container_port: null,
  memory: null,
  cpu: null,
  region: null,
  min_instances: 0,
  max_instances: 3,
  password_protected: false,
  access_log: false,
  trouble: null,
  live_deployment_id: null,
  created_at: time,
  updated_at: time,
  environment_vars: { DATABASE_PASSWORD: 'hunter2-is-secret', MODE: 'live' },
};
const shop: Answers = {
  ...ofKey,
  '/api/environments/get': environment,
  '/api/environments/update': environment,
  '/api/applications/get': { name: 'shop', url: 'http://shop.test', environments: [{}] },
  '/api/applications/delete': { message: 'It is being deleted.' },
};

function profileOf(...ids: string[]) {
  const organisations = ids.map((id) => ({ id, name: id.toUpperCase(), slug: id, role: 'owner', plan: 'pro' }));
  return { id: 'usr_1', email: 'a@b', first_name: 'Ada', mfa_enabled: false, organisations };
}

describe('a server', () => {
  it('offers every tool, with hints and both schemas', async () => {
    await using connected = await connectClient({});
    const listed = (await connected.client.listTools()).tools;
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    for (const tool of listed) {
      expect(tool).toMatchObject({ title: expect.any(String) as string, outputSchema: { type: 'object' } });
      expect(Object.keys(tool.annotations ?? {})).toContain('readOnlyHint');
    }
    // Some clients give all of it to the assistant with every question: a list that grows has to be meant.
    expect(JSON.stringify(listed).length).toBeLessThan(80_000);
  });

  it('that only reads has no tool that changes anything or shows a secret', async () => {
    await using connected = await connectClient({ isReadOnly: true, answers: shop });
    const listed = (await connected.client.listTools()).tools;
    expect(listed.length).toBeGreaterThan(10);
    expect(listed.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
    const call = connected.client.callTool({
      name: 'reveal_environment_variable',
      arguments: { environmentId: 'env_1', name: 'MODE' },
    });
    await expect(call).rejects.toThrow(/reveal_environment_variable/);
    expect(connected.called).toEqual([]);
  });
});

describe('the organisation', () => {
  it('is left to an API key, which has its own', async () => {
    await using connected = await connectClient({ answers: shop });
    await connected.call('get_environment', { environmentId: 'env_1' });
    expect(connected.called.at(-1)).toEqual({ path: '/api/environments/get', body: { environmentId: 'env_1' } });
  });

  it('is the only one a person has', async () => {
    await using connected = await connectClient({ answers: { ...shop, '/api/auth/profile': profileOf('org_1') } });
    await connected.call('get_environment', { environmentId: 'env_1' });
    expect(connected.called.at(-1)!.body).toMatchObject({ targetOrganisationId: 'org_1' });
  });

  it('is asked for, by name, where there are several', async () => {
    await using connected = await connectClient({
      answers: { ...shop, '/api/auth/profile': profileOf('org_1', 'org_2') },
    });
    const refused = await connected.call('get_environment', { environmentId: 'env_1' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('org_2 (ORG_2)') as string });
    await connected.call('get_environment', { environmentId: 'env_1', organisationId: 'org_2' });
    expect(connected.called.at(-1)!.body).toMatchObject({ targetOrganisationId: 'org_2' });
  });
});

describe('what a tool answers', () => {
  it('has names of variables and never a value, but where a value is asked for', async () => {
    await using connected = await connectClient({ answers: shop });
    const shown = await connected.call('get_environment', { environmentId: 'env_1' });
    expect(shown.answer).toMatchObject({ variable_names: ['DATABASE_PASSWORD', 'MODE'] });
    const set = await connected.call('set_environment_variables', {
      environmentId: 'env_1',
      set: { MODE: 'quite-new-secret' },
      confirm: 'MODE',
    });
    expect(set.answer).toMatchObject({ changed: ['MODE'], added: [], removed: [], count: 2 });
    // What others set at the same time stays.
    expect(connected.called.at(-1)!.body).toMatchObject({ environmentVarsPatch: { MODE: 'quite-new-secret' } });
    expect(shown.text + set.text).not.toMatch(/hunter2|quite-new/);
    const revealed = await connected.call('reveal_environment_variable', { environmentId: 'env_1', name: 'MODE' });
    expect(revealed.answer).toEqual({ name: 'MODE', value: 'live' });
  });

  it('says what to do next when the platform refuses, and when it is away', async () => {
    await using connected = await connectClient({ answers: ofKey });
    const missing = await connected.call('get_environment', { environmentId: 'env_9' });
    expect(missing).toMatchObject({ isError: true, text: expect.stringMatching(/NF001.*list_applications/) as string });
  });

  it('says which argument is wrong', async () => {
    await using connected = await connectClient({ answers: shop });
    const wrong = await connected.call('scale_environment', { environmentId: 'env_1', minInstances: 9 });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('minInstances') as string });
    expect(connected.called).toEqual([]);
  });

  it('refuses settings of a new application with files for an environment that is there', async () => {
    await using connected = await connectClient({ answers: shop });
    const files = [{ path: 'index.html', content: 'hello' }];
    const refused = await connected.call('deploy_files', { environmentId: 'env_1', files, buildCommand: 'make' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('buildCommand') as string });
  });
});

/** Not the question whether one may, which names nothing. */
const deletions = (called: Called[]) =>
  called.filter(({ path, body }) => path.endsWith('/delete') && body['applicationId'] === 'app_1').length;

describe('what destroys', () => {
  it('happens when the person agrees', async () => {
    await using connected = await connectClient({ answers: shop, person: 'agrees' });
    const done = await connected.call('delete_application', { applicationId: 'app_1' });
    expect(done.answer).toEqual({ deleted: 'app_1', message: 'It is being deleted.' });
    expect(deletions(connected.called)).toBe(1);
  });

  it.each(['refuses', 'says no'] as const)(
    'does not happen when the person %s, whatever the assistant says',
    async (person) => {
      await using connected = await connectClient({ answers: shop, person });
      const refused = await connected.call('delete_application', { applicationId: 'app_1', confirm: 'shop' });
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('did not agree') as string });
      expect(deletions(connected.called)).toBe(0);
    },
  );

  it('needs the exact name where nobody can be asked', async () => {
    await using connected = await connectClient({ answers: shop });
    for (const confirm of [undefined, 'Shop', 'yes', 'app_1']) {
      const refused = await connected.call('delete_application', { applicationId: 'app_1', confirm });
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('confirm: "shop"') as string });
    }
    expect(deletions(connected.called)).toBe(0);
    const done = await connected.call('delete_application', { applicationId: 'app_1', confirm: 'shop' });
    expect(done.isError).toBe(false);
    expect(deletions(connected.called)).toBe(1);
  });
});

describe('resources', () => {
  it('are the pages of the documentation, the OpenAPI document, and logs', async () => {
    await using connected = await connectClient({ answers: { ...ofKey, '/api/environments/logs': ['one', 'two'] } });
    const uris = (await connected.client.listResources()).resources.map(({ uri }) => uri);
    expect(uris).toEqual(
      expect.arrayContaining(['lilac://openapi.json', 'lilac://docs/domains', 'lilac://docs/reference/errors']),
    );
    const read = async (uri: string) => (await connected.client.readResource({ uri })).contents[0] as { text: string };
    expect((await read('lilac://docs/domains')).text).toMatch(/^# /m);
    expect(JSON.parse((await read('lilac://openapi.json')).text)).toHaveProperty('openapi');
    expect(await read('lilac://organisations/-/environments/env_1/logs')).toMatchObject({ text: 'one\ntwo' });
    expect(connected.called.at(-1)!.body).toMatchObject({ environmentId: 'env_1' });
    await expect(read('lilac://docs/../../etc/passwd')).rejects.toThrow(/etc\/passwd|not found/i);
    const missing = 'lilac://organisations/org_1/deployments/dep_1/log';
    for (const uri of ['lilac://docs/nothing', missing]) {
      await expect(read(uri)).rejects.toMatchObject({ code: -32602, data: { uri } });
    }
    await expect(read(missing)).rejects.toThrow(/NF001/);
  });
});
