import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLilac, type Lilac } from '../sdk/src/lilac.ts';
import { startGitHost, type GitHost } from '../server/src/testing/git-host.ts';
import { createAccount, type Account } from './acknowledged-writes.ts';
import { visit } from './deploying.ts';
import {
  connect,
  connectOverStdio,
  inspect,
  inspectTool,
  runConformance,
  runLilacMcp,
  type Place,
  type Structured,
} from './mcp.ts';
import { startPlatform, until, type Platform } from './platform.ts';

/** The MCP server as assistants meet it: over HTTP and over standard input and output. */
const repository = 'acme/shop';
const build = { buildCommand: 'sh build.sh', outputDirectory: 'out' };
const slowly = 'for i in $(seq 300); do sleep 0.2; done\n';

let platform: Platform;
let host: GitHost;
let account: Account;
let lilac: Lilac;
let place: Place;

beforeAll(async () => {
  host = await startGitHost();
  const env = { LILAC_VCS_URL: host.url, LILAC_RATE_LIMIT: '1000000', LILAC_DNS_SERVERS: '127.0.0.1:9' };
  platform = await startPlatform({ env });
  account = await createAccount(platform);
  lilac = createLilac({ baseUrl: platform.url, token: account.token });
  place = { platform, token: await createKey('admin') };
  await host.createRepository(repository, { 'index.html': 'from a repository' });
});
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]();
  await host?.[Symbol.asyncDispose]();
});

async function createKey(role: 'admin' | 'user'): Promise<string> {
  const body = { targetOrganisationId: account.organisationId, name: role, role };
  return (await lilac.api.apiKeys.create({ body })).secret;
}

const page = (content: string) => [{ path: 'index.html', content }];

describe('the published tools', () => {
  it('the conformance suite passes every scenario that applies', async () => {
    const finished = await runConformance(place);
    expect(finished).toMatchObject({ exitCode: 0 });
    for (const name of ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection']) {
      expect(finished.stdout).toMatch(new RegExp(`✓ ${name}: [1-9]\\d* passed, 0 failed`));
    }
  });

  it('the inspector finds nothing wrong with the schemas, and lists the same tools both ways', async () => {
    const listed = await Promise.all(
      (['http', 'stdio'] as const).map((way) => inspect(place, way, '--method', 'tools/list', '--strict')),
    );
    const [http, stdio] = listed.map(({ exitCode, stdout, stderr }) => {
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
      expect(stderr).not.toMatch(/^(?:Error|Warning): tool/m);
      return (JSON.parse(stdout) as { tools: unknown[] }).tools;
    });
    expect(http!.length).toBeGreaterThan(30);
    expect(stdio).toEqual(http);
  });
});

describe('an assistant', () => {
  it('deploys, reads logs and rolls back, by these tools alone', async () => {
    const client = await connect(place, 'http');
    const told: string[] = [];
    const onprogress = ({ message }: { message?: string }) => told.push(message ?? '');
    const call = async (name: string, input: Record<string, unknown>): Promise<Structured> => {
      const options = { onprogress, timeout: 170_000, resetTimeoutOnProgress: true };
      const { isError, structuredContent, content } = await client.callTool({ name, arguments: input }, options);
      expect({ isError, content }).not.toMatchObject({ isError: true });
      return structuredContent;
    };
    const first = await call('deploy_files', { name: 'By an assistant', files: page('one'), waitSeconds: 150 });
    expect(first).toMatchObject({ status: 'healthy', is_live: true });
    expect((await visit(first.url)).body).toBe('one');
    expect(told.at(-1)).toBe('healthy: released');
    const { environment_id: environmentId, deployment_id: deploymentId } = first;
    await call('deploy_files', { environmentId, files: page('two'), waitSeconds: 150 });
    expect((await visit(first.url)).body).toBe('two');
    const { lines } = await call('get_logs', { environmentId, search: 'live at' });
    expect(lines).toHaveLength(2);
    await call('rollback_deployment', { environmentId, deploymentId, waitSeconds: 150 });
    expect((await visit(first.url)).body).toBe('one');
    const { deployments } = await call('list_deployments', { environmentId });
    expect(deployments.map((each: Structured) => each.is_live)).toEqual([false, true]);
    await client.close();
  });

  it('that does not wait for a long build is told how to go on; one that waits hears of its end at once', async () => {
    const client = await connect(place, 'http');
    const files = [{ path: 'build.sh', content: slowly }];
    const input = { name: 'Slow', files, deploymentType: 'static', ...build, waitSeconds: 1 };
    const { structuredContent } = await client.callTool({ name: 'deploy_files', arguments: input });
    const { status, next_step: nextStep, deployment_id: deploymentId } = structuredContent as Structured;
    expect(status).toMatch(/pending|building/);
    expect(nextStep).toContain('get_deployment');
    const waiting = client.callTool({ name: 'get_deployment', arguments: { deploymentId, waitSeconds: 100 } });
    const ended = await client.callTool({ name: 'cancel_deployment', arguments: { deploymentId } });
    expect(ended.isError).not.toBe(true);
    expect((await waiting).structuredContent).toMatchObject({ status: 'cancelled' });
    await client.close();
  });
});

describe('the inspector', () => {
  it('calls every tool, by one way or the other, and no secret is in what they answer', async () => {
    const { story, reveal, answers } = storyteller();
    const secrets = ['s3cret-of-the-shop', 's3cret-that-was-changed'];
    const [created, { id: databaseId }] = await Promise.all([
      story('create_application', {
        name: 'Shop',
        repositoryUrl: `${host.url}/${repository}`,
        variables: { API_TOKEN: secrets[0] },
        waitSeconds: 150,
      }),
      story('create_database', { name: 'Orders' }),
      cancelled(story),
      story('list_organisations'),
      story('get_catalogue'),
      story('search_docs', { query: 'rollback' }),
      story('detect_framework', { owner: 'acme', repo: 'shop', branch: 'main' }),
    ]);
    const { application_id: applicationId, environment_id: environmentId, deployment_id: deploymentId } = created;
    expect(created).toMatchObject({ status: 'healthy' });
    const set = { API_TOKEN: secrets[1], MODE: 'live' };
    await story('set_environment_variables', { environmentId, set, confirm: 'API_TOKEN' });
    const [{ names }, { value }] = await Promise.all([
      story('list_environment_variables', { environmentId }),
      reveal('reveal_environment_variable', { environmentId, name: 'API_TOKEN' }),
      story('deploy_environment', { environmentId, waitSeconds: 150 }),
      story('list_applications', { filter: 'shop' }),
      story('get_application', { applicationId }),
      story('get_environment', { environmentId }),
    ]);
    expect({ names, value }).toEqual({ names: ['API_TOKEN', 'MODE'], value: secrets[1] });
    const read = { targetOrganisationId: account.organisationId, databaseId };
    await until('the database is healthy', async () => {
      return (await lilac.call('databases.get', { body: read })).status === 'healthy';
    });
    const [{ connection_string: url }, { rows }, preview] = await Promise.all([
      reveal('get_database_connection_string', { databaseId }),
      story('query_database', { databaseId, statement: 'select $1::text as greeting', parameters: ['hello'] }),
      story('create_environment', { applicationId, name: 'preview', branch: 'main' }),
      story('rollback_deployment', { environmentId, deploymentId, waitSeconds: 150 }),
      story('list_deployments', { environmentId }),
      story('get_deployment', { deploymentId }),
      story('get_database', { databaseId }),
      story('list_databases'),
      story('connect_database', { databaseId, environmentId }),
      story('describe_database', { databaseId }),
      story('add_domain', { environmentId, domain: 'shop.example.org' }),
    ]);
    secrets.push(new URL(url as string).password);
    expect(rows).toEqual([['hello']]);
    await Promise.all([
      endsWhatIsGivenUp(databaseId),
      story('disconnect_database', { databaseId, environmentId, confirm: 'Orders' }),
      story('check_domain', { environmentId }),
      story('scale_environment', { environmentId, maxInstances: 2 }),
      story('get_logs', { environmentId }),
      story('get_metrics', { environmentId, includePoints: true }),
      story('get_activity', { environmentId }),
    ]);
    await Promise.all([
      story('remove_domain', { environmentId, confirm: 'shop.example.org' }),
      story('delete_database', { databaseId, confirm: 'Orders' }),
      story('delete_environment', { environmentId: preview.id, confirm: 'preview' }),
    ]);
    await story('delete_application', { applicationId, confirm: 'Shop' });

    const { tools } = await (await connect(place, 'http')).listTools();
    expect([...new Set(answers.map(({ name }) => name))].toSorted()).toEqual(tools.map(({ name }) => name).toSorted());
    const leaking = answers.filter(
      ({ isReveal, text }) => !isReveal && secrets.some((secret) => text.includes(secret)),
    );
    expect(leaking.map(({ name }) => name)).toEqual([]);
  }, 600_000);
});

type Tell = (name: string, input?: Record<string, unknown>) => Promise<Structured>;

async function cancelled(story: Tell): Promise<void> {
  const files = [{ path: 'build.sh', content: slowly }];
  const slow = { name: 'Slower', files, deploymentType: 'static', ...build, waitSeconds: 0 };
  const { deployment_id: deploymentId } = await story('deploy_files', slow);
  await story('cancel_deployment', { deploymentId });
}

/** A client that goes away leaves no statement running. */
async function endsWhatIsGivenUp(databaseId: string): Promise<void> {
  const client = await connect(place, 'http');
  const query = (statement: string) => ({ name: 'query_database', arguments: { databaseId, statement } });
  const running = async (): Promise<number> => {
    const statement = `select count(*)::int from pg_stat_activity where state = 'active' and query like '%pg_sle' || 'ep(25)%'`;
    const { structuredContent } = await client.callTool(query(statement));
    return (structuredContent as Structured).rows[0][0] as number;
  };
  const giving = new AbortController();
  const ended = client.callTool(query('select pg_sleep(25)'), { signal: giving.signal }).catch(() => 'given up');
  await until('the statement runs', async () => (await running()) === 1);
  giving.abort();
  expect(await ended).toBe('given up');
  await until('the statement has ended', async () => (await running()) === 0, 10_000);
  await client.close();
}

const AT_ONCE = 3;

/** Calls tools, and keeps what they answered. Every call starts a program or two, so only a few run at once. */
function storyteller() {
  const answers: { name: string; text: string; isReveal: boolean }[] = [];
  const inTurn = createQueue(AT_ONCE);
  let told = 0;
  const tell = async (name: string, input: Record<string, unknown>, isReveal: boolean): Promise<Structured> => {
    const way = told % 6 === 0 ? 'stdio' : 'http';
    told += 1;
    const { isError, text, answer } = await inTurn(() => inspectTool(place, way, { name, input }));
    expect({ name, way, text, isError }).toMatchObject({ isError: false });
    answers.push({ name, text, isReveal });
    return answer;
  };
  const story: Tell = (name, input = {}) => tell(name, input, false);
  const reveal: Tell = (name, input = {}) => tell(name, input, true);
  return { story, reveal, answers };
}

/** So many at once, the others after them. */
function createQueue(atOnce: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < atOnce) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

describe('lilac mcp', () => {
  it('asks as the credential it has: one that only reads changes nothing', async () => {
    const client = await connect({ platform, token: await createKey('user') }, 'stdio');
    const { isError, content } = await client.callTool({ name: 'create_database', arguments: { name: 'no' } });
    expect({ isError, content }).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('CA005') as string }],
    });
    await client.close();
  });

  it('--read-only offers nothing that changes or reveals', async () => {
    const client = await connect(place, 'stdio', '--read-only');
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(10);
    expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
    await client.close();
  });

  it('says what to do when nobody is signed in, and writes nothing where the protocol is spoken', async () => {
    const settings = { LILAC_API_URL: platform.url, XDG_CONFIG_HOME: platform.home, HOME: platform.home };
    const { exitCode, stdout, stderr } = await runLilacMcp(settings);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain('lilac login');
  });

  it('says at once when the credential is not good', async () => {
    const { client, complaints } = await connectOverStdio({ platform, token: 'lc_wrong' });
    await until('it complains', () => complaints().includes('\n'));
    expect(complaints()).toContain('another API key');
    await client.close();
  });

  it('ends when the client goes away', async () => {
    const settings = { LILAC_API_URL: platform.url, LILAC_TOKEN: place.token };
    expect(await runLilacMcp(settings)).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });
});
