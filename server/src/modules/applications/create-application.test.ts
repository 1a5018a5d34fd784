import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, createOwner, createProject } from '../../testing/factories.ts';
import { openVariables } from '../environments/variables.ts';
import { openProjectWorld, type ProjectWorld } from './testing/project-world.ts';

let world: ProjectWorld;
beforeAll(async () => {
  world = await openProjectWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const create = (body: object, who = world.owner) =>
  world.call('/api/applications/create', { vcsRepoUrl: world.repositoryUrl, ...body }, who);

async function rowsOf(table: 'applications' | 'environments' | 'deployments' | 'activity_entries'): Promise<number> {
  const { rows } = await world.api.store.pool.query<{ count: number }>(`select count(*)::int as count from ${table}`);
  return rows[0]!.count;
}

describe('POST /api/applications/create', () => {
  it('503 SV002 that says when to ask again while the host is down, and nothing is written', async () => {
    const before = await rowsOf('applications');
    world.host.intercept((_, response) => {
      response.writeHead(503).end();
      return true;
    });
    const answer = await create({ name: 'Down' });
    world.host.intercept(() => false);
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '30' }, body: { code: 'SV002' } });
    expect(await rowsOf('applications')).toBe(before);
  });

  it('201: the application, its production environment and a deployment that waits', async () => {
    const { status, body } = await create({ name: ' My Shop ' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^app_/),
      name: 'My Shop',
      status: 'pending',
      url: 'http://my-shop.localhost:7080',
    });
    const shown = await world.call('/api/applications/get', { applicationId: body.id });
    expect(shown.body).toEqual({
      id: body.id,
      name: 'My Shop',
      slug: 'my-shop',
      deployment_type: 'static',
      framework: 'react',
      runtime: null,
      vcs_repo_url: world.repositoryUrl,
      vcs_branch: 'main',
      source_type: 'vcs',
      status: 'pending',
      url: 'http://my-shop.localhost:7080',
      project_id: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      git_provider: 'provider1',
      is_private: false,
      build_command: null,
      output_directory: null,
      start_command: null,
      root_directory: null,
      container_port: null,
      memory: '512Mi',
      cpu: null,
      concurrency: 80,
      cpu_target: 80,
      region: null,
      auto_deploy_on_push: false,
      auto_deploy_branches: [],
      auto_delete_stale_envs: false,
      push_status: 'off',
      push_trouble: null,
      environments: [{ id: expect.stringMatching(/^env_/), name: 'production', is_production: true }],
    });
    const environmentId = shown.body.environments[0].id as string;
    const { rows: waiting } = await world.api.store.pool.query(
      `select environment_id, d.status, vcs_branch, upload_id, j.state from deployments d
       join jobs j on j.id = d.job_id where application_id = $1`,
      [body.id],
    );
    expect(waiting).toEqual([
      { environment_id: environmentId, status: 'pending', vcs_branch: 'main', upload_id: null, state: 'queued' },
    ]);
    expect(await world.routeOf(environmentId)).toEqual({ subdomain: 'my-shop', target: null });
    expect((await world.actionsOf(environmentId))[0]).toBe('application_created');
  });

  it('keeps everything that is said, with paths and hosts as they are compared', async () => {
    const folder = await createProject(world.api, world.owner);
    const application = await world.create('All of it', {
      gitProvider: 'provider1',
      vcsBranch: 'next',
      projectId: folder.id,
      deploymentType: 'container',
      framework: 'nextjs',
      runtime: 'node24',
      buildCommand: 'npm run build && echo "$HOME"',
      outputDirectory: './out//static/',
      startCommand: 'npm start',
      rootDirectory: 'apps/web/',
      environmentVars: { A: '1' },
      containerPort: 8080,
      memory: '2Gi',
      cpu: '4',
      minInstances: 1,
      maxInstances: 5,
      concurrency: 10,
      cpuTarget: 60,
      region: 'local',
      customDomain: 'WWW.Example.COM.',
      autoDeployOnPush: true,
      autoDeployBranches: ['main', 'feature/*'],
      autoDeleteStaleEnvs: true,
    });
    expect(application).toMatchObject({
      vcs_branch: 'next',
      repository_path: 'acme/shop',
      project_id: folder.id,
      deployment_type: 'container',
      framework: 'nextjs',
      is_framework_given: true,
      runtime: 'node24',
      build_command: 'npm run build && echo "$HOME"',
      output_directory: 'out/static',
      start_command: 'npm start',
      root_directory: 'apps/web',
      container_port: 8080,
      memory: '2Gi',
      cpu: '4',
      concurrency: 10,
      cpu_target: 60,
      region: 'local',
      auto_deploy_on_push: true,
      auto_deploy_branches: ['main', 'feature/*'],
      auto_delete_stale_envs: true,
    });
    expect(await world.productionOf(application)).toMatchObject({
      vcs_branch: 'next',
      auto_deploy: true,
      min_instances: 1,
      max_instances: 5,
      custom_domain: 'www.example.com',
      memory: null,
      build_command: null,
    });
  });

  it('seals the variables, which come back byte for byte', async () => {
    const environmentVars = { SECRET: `a$b"c'd#e\\f \n\t é🌷`, EMPTY: '', constructor: 'x' };
    const production = await world.productionOf(await world.create('Sealed', { environmentVars }));
    expect(production.variables).toMatch(/^v1\./);
    expect(openVariables(world.api.keyring, production)).toStrictEqual(environmentVars);
    const { body } = await world.call('/api/environments/get', { environmentId: production.id });
    expect(body.environment_vars).toStrictEqual(environmentVars);
  });

  it('400 VA001 for a framework that nobody knows', async () => {
    const refused = await create({ name: 'Mistyped', framework: 'nextjss' });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VA001' } });
    expect(refused.body.message).toMatch(/^framework "nextjss"/);
  });

  it("lowers maxInstances to the plan's cap", async () => {
    const free = await createOwner(world.api, { plan: 'free' });
    const application = await world.create('Capped', {}, free);
    expect(await world.productionOf(application)).toMatchObject({ min_instances: 0, max_instances: 3 });
    const other = await world.create('Capped too', { maxInstances: 100 });
    expect((await world.productionOf(other)).max_instances).toBe(20);
  });

  it('names a key as the one who did it', async () => {
    const { secret } = await createApiKey(world.api, world.owner);
    const { body } = await world.api.call('/api/applications/create', {
      token: secret,
      body: { name: 'By key', vcsRepoUrl: world.repositoryUrl },
    });
    const { id } = await world.productionOf(body);
    const activity = await world.call('/api/environments/activity', { environmentId: id });
    expect(activity.body.at(-1)).toMatchObject({ action: 'application_created', actor_email: 'API key A test key' });
  });

  it('404 for a folder of another organisation, and nothing is written', async () => {
    const foreign = await createProject(world.api, await createOwner(world.api));
    const before = await rowsOf('applications');
    for (const projectId of [foreign.id, 'fld_unknown']) {
      const refused = await create({ name: 'Nowhere', projectId });
      expect(refused).toMatchObject({ status: 404, body: { code: 'NF001', message: 'Folder not found.' } });
    }
    expect(await rowsOf('applications')).toBe(before);
  });

  it('400 VA003 when the repository cannot be reached or has no such branch, naming those it has; nothing is written', async () => {
    const before = [await rowsOf('applications'), await rowsOf('environments'), await rowsOf('deployments')];
    const noBranch = await create({ name: 'x', vcsBranch: 'absent' });
    expect(noBranch).toMatchObject({ status: 400, body: { code: 'VA003' } });
    expect(noBranch.body.message).toMatch(/no branch "absent".*main.*next|no branch "absent".*next.*main/);
    const noRepository = await create({ name: 'x', vcsRepoUrl: `${world.host.url}/acme/nothing` });
    expect(noRepository).toMatchObject({ status: 400, body: { code: 'VA003' } });
    expect([await rowsOf('applications'), await rowsOf('environments'), await rowsOf('deployments')]).toEqual(before);
  });

  it.each([
    [{ vcsBranch: '--upload-pack=id' }, 'vcsBranch'],
    [{ vcsBranch: 'a..b' }, 'vcsBranch'],
    [{ vcsBranch: 'refs/heads/a b' }, 'vcsBranch'],
    [{ rootDirectory: '/etc' }, 'rootDirectory'],
    [{ rootDirectory: 'a/../../b' }, 'rootDirectory'],
    [{ outputDirectory: '..' }, 'outputDirectory'],
    [{ memory: '513Mi' }, 'memory'],
    [{ memory: '32Gi', cpu: '1' }, 'cpu'],
    [{ region: 'moon' }, 'region'],
    [{ customDomain: 'https://example.com' }, 'customDomain'],
    [{ customDomain: 'a.localhost' }, 'customDomain'],
    [{ minInstances: 3, maxInstances: 2 }, 'minInstances'],
    [{ minInstances: 6 }, 'minInstances'],
    [{ maxInstances: 101 }, 'maxInstances'],
    [{ maxInstances: 0 }, 'maxInstances'],
    [{ environmentVars: { A: 1 } }, 'environmentVars'],
    [{ environmentVars: { 'A-B': 'x' } }, 'environmentVars'],
    [{ environmentVars: { A: 'x'.repeat(65_537) } }, 'environmentVars'],
    [{ provider2ProjectId: 5 }, 'provider2ProjectId'],
    [{ provider3RepoUuid: '{01234567-89ab-cdef-0123-456789abcdef}' }, 'provider3RepoUuid'],
    [{ deploymentType: 'lambda' }, 'deploymentType'],
    [{ name: '   ' }, 'name'],
    [{ vcsRepoUrl: 'git@example.org:a/b.git' }, 'repository'],
    [{ vcsRepoUrl: 'https://elsewhere.example.org/a/b' }, 'repository'],
    [{ vcsRepoUrl: 'file:///etc/passwd' }, 'repository'],
  ])('400 VA001 for %o', async (settings, named) => {
    const before = await rowsOf('applications');
    const refused = await create({ name: 'Refused', ...settings });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VA001' } });
    expect(refused.body.message).toContain(named);
    expect(await rowsOf('applications')).toBe(before);
  });
});

describe('the address of a new application', () => {
  it('has a suffix when another organisation has the name, or nobody may', async () => {
    const stranger = await createOwner(world.api);
    await world.create('Taken', {}, stranger);
    const slugs = [await world.create('Taken'), await world.create('admin'), await world.create('日本')];
    expect(slugs.map(({ slug }) => slug)).toEqual([
      expect.stringMatching(/^taken-[a-z2-9]{6}$/),
      expect.stringMatching(/^admin-[a-z2-9]{6}$/),
      expect.stringMatching(/^app-[a-z2-9]{6}$/),
    ]);
    expect(slugs.map(({ name }) => name)).toEqual(['Taken', 'admin', '日本']);
  });

  it('is one each for ten who want the same at the same moment', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'Race' })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201));
    const urls = new Set(answers.map(({ body }) => body.url as string));
    expect(urls.size).toBe(10);
    expect([...urls].filter((url) => url === 'http://race.localhost:7080')).toHaveLength(1);
  });

  it('is the same for the application and its production environment', async () => {
    const rows = await world.api.store.db
      .selectFrom('applications as a')
      .innerJoin('environments as e', 'e.application_id', 'a.id')
      .select(['slug', 'subdomain'])
      .where('is_production', '=', true)
      .execute();
    expect(rows.length).toBeGreaterThan(10);
    for (const { slug, subdomain } of rows) expect(subdomain).toBe(slug);
  });
});
