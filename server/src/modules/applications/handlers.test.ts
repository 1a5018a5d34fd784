import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ApplicationRow } from '../../db/schema.ts';
import { newId } from '../../lib/ids.ts';
import {
  createApiKey,
  createApplication,
  createDeployment,
  createMember,
  createOwner,
  createProject,
  productionOf,
  type TestOwner,
} from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const call = (path: string, who: TestOwner, body: object = {}) =>
  api.call(path, { token: who.token, body: { targetOrganisationId: who.organisationId, ...body } });

describe('POST /api/applications', () => {
  it('lists the applications of the organisation only, newest first, with their addresses', async () => {
    const [owner, other] = [await createOwner(api), await createOwner(api)];
    await createApplication(api, other);
    const older = await createApplication(api, owner);
    const newer = await createApplication(api, owner);
    const { body } = await call('/api/applications', owner);
    expect(body).toMatchObject({ totalItems: 2, totalPages: 1, currentPage: 1 });
    expect(body.items.map((item: { id: string }) => item.id)).toEqual([newer.id, older.id]);
    expect(body.items[0]).toEqual({
      id: newer.id,
      name: newer.name,
      slug: newer.slug,
      deployment_type: 'static',
      framework: 'react',
      runtime: null,
      vcs_repo_url: newer.vcs_repo_url,
      vcs_branch: 'main',
      source_type: 'vcs',
      status: 'healthy',
      url: `http://${newer.slug}.localhost:7080`,
      project_id: null,
      created_at: newer.created_at.toISOString(),
      updated_at: newer.updated_at.toISOString(),
      production_environment_id: (await productionOf(api, newer.id)).id,
      last_deployment: null,
      live_deployment: null,
    });
  });

  it('tells what was last deployed to production and what it serves, in as many queries as for one', async () => {
    const owner = await createOwner(api);
    const applications = [];
    for (let index = 0; index < 3; index++) applications.push(await createApplication(api, owner));
    const [deployed, , gone] = applications as [ApplicationRow, ApplicationRow, ApplicationRow];
    const production = await productionOf(api, deployed.id);
    const live = await createDeployment(api, production);
    const setAside = await createDeployment(api, production, { status: 'failed', stage: 'routing' });
    await api.store.pool.query('update environments set live_deployment_id = $1 where id = $2', [
      live.id,
      production.id,
    ]);
    const last = await createDeployment(api, production, { status: 'failed', stage: 'building' });
    const wasNeverLive = (id: string) =>
      api.store.pool.query('update deployments set released_at = null where id = $1', [id]);
    await wasNeverLive(last.id);
    await api.store.pool.query('delete from environments where application_id = $1', [gone.id]);
    const questions = vi.spyOn(api.store.pool, 'connect');
    const { body } = await call('/api/applications', owner);
    const count = questions.mock.calls.length;
    await call('/api/applications', owner, { limit: 1 });
    expect(questions.mock.calls.length).toBe(2 * count);
    questions.mockRestore();
    const shown = new Map(body.items.map((item: { id: string }) => [item.id, item]));
    expect(shown.get(deployed.id)).toMatchObject({
      production_environment_id: production.id,
      last_deployment: {
        id: last.id,
        status: 'failed',
        commit_sha: last.commit_sha,
        commit_message: 'A change',
        upload_name: null,
        started_at: last.created_at.toISOString(),
      },
      live_deployment: { id: live.id, started_at: live.created_at.toISOString(), is_rolled_back: true },
    });
    expect(shown.get(gone.id)).toMatchObject({ production_environment_id: null, last_deployment: null });
    await wasNeverLive(setAside.id);
    const { items } = (await call('/api/applications', owner)).body;
    const { live_deployment } = items.find((item: { id: string }) => item.id === deployed.id);
    expect(live_deployment).toMatchObject({ id: live.id, is_rolled_back: false });
  });

  it('clamps what is out of range instead of refusing it', async () => {
    const owner = await createOwner(api);
    for (let index = 0; index < 3; index++) await createApplication(api, owner);
    const page = async (body: object) => (await call('/api/applications', owner, body)).body;
    expect(await page({ page: -1, limit: 0 })).toMatchObject({ currentPage: 1, totalPages: 3, totalItems: 3 });
    expect(await page({ page: 1e12, limit: 2.7 })).toMatchObject({ currentPage: 100_000, totalPages: 2, items: [] });
    expect((await page({ limit: 5000 })).items).toHaveLength(3);
  });

  it('400 when a pagination field has the wrong type', async () => {
    const owner = await createOwner(api);
    for (const body of [{ page: '1' }, { limit: null }, { sortOrder: 'up' }, { filter: 5 }]) {
      const refused = await call('/api/applications', owner, body);
      expect(refused).toMatchObject({ status: 400, body: { code: 'VA001' } });
      expect(refused.body.message).toContain(Object.keys(body)[0]);
    }
  });

  it('filters by name, with % as a plain character', async () => {
    const owner = await createOwner(api);
    for (const name of ['100% Shop', 'Shop two', 'Blog']) await createApplication(api, { ...owner, name });
    const found = async (filter: string) => (await call('/api/applications', owner, { filter })).body;
    expect((await found('SHOP')).totalItems).toBe(2);
    expect(await found('0% s')).toMatchObject({ totalItems: 1, items: [{ name: '100% Shop' }] });
  });
});

describe('POST /api/applications/get', () => {
  it('shows the environments, production first', async () => {
    const owner = await createOwner(api);
    const application = await createApplication(api, owner);
    const preview = { id: newId('env'), name: 'preview', is_production: false };
    await api.store.db
      .insertInto('environments')
      .values({
        ...preview,
        organisation_id: owner.organisationId,
        application_id: application.id,
        subdomain: `preview-${application.slug}`,
        created_at: new Date('2020-01-01T00:00:00Z'),
      })
      .execute();
    const { status, body } = await call('/api/applications/get', owner, { applicationId: application.id });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: application.id, url: `http://${application.slug}.localhost:7080` });
    expect(body.environments).toEqual([
      { id: expect.stringMatching(/^env_/), name: 'production', is_production: true },
      preview,
    ]);
  });
});

describe('POST /api/applications/status', () => {
  it('costs one query, with a session and with a key', async () => {
    const owner = await createOwner(api);
    const application = await createApplication(api, owner);
    const { secret } = await createApiKey(api, owner);
    const connections = vi.spyOn(api.store.pool, 'connect');
    const expected = { id: application.id, status: 'healthy', url: `http://${application.slug}.localhost:7080` };
    const withSession = await call('/api/applications/status', owner, { applicationId: application.id });
    expect(withSession).toMatchObject({ status: 200, body: expected });
    expect(connections).toHaveBeenCalledTimes(1);
    const withKey = await api.call('/api/applications/status', {
      token: secret,
      body: { applicationId: application.id },
    });
    expect(withKey).toMatchObject({ status: 200, body: expected });
    expect(connections).toHaveBeenCalledTimes(2);
    connections.mockRestore();
  });

  it('404 in the same words for an application of another organisation and for one that never was', async () => {
    const [owner, other] = [await createOwner(api), await createOwner(api)];
    const hidden = await createApplication(api, other);
    const answers = await Promise.all(
      [hidden.id, 'app_unknown'].map((applicationId) => call('/api/applications/status', owner, { applicationId })),
    );
    expect(answers[0]).toMatchObject({ status: 404, body: { code: 'NF001' } });
    expect(answers[0]!.body).toEqual(answers[1]!.body);
  });
});

describe('POST /api/applications/move', () => {
  it('files it under a folder, and at the root again', async () => {
    const owner = await createOwner(api);
    const folder = await createProject(api, owner);
    const { id } = await createApplication(api, owner);
    for (const targetFolderId of [folder.id, null]) {
      const moved = await call('/api/applications/move', owner, { applicationId: id, targetFolderId });
      expect(moved).toMatchObject({ status: 200, body: { id, project_id: targetFolderId } });
      const shown = await call('/api/applications/get', owner, { applicationId: id });
      expect(shown.body.project_id).toBe(targetFolderId);
    }
  });

  it('404 when the folder is of another organisation or unknown, and it stays where it was', async () => {
    const [owner, other] = [await createOwner(api), await createOwner(api)];
    const [folder, foreign] = [await createProject(api, owner), await createProject(api, other)];
    const { id } = await createApplication(api, { ...owner, projectId: folder.id });
    for (const targetFolderId of [foreign.id, 'fld_unknown']) {
      const refused = await call('/api/applications/move', owner, { applicationId: id, targetFolderId });
      expect(refused).toMatchObject({ status: 404, body: { code: 'NF001', message: 'Folder not found.' } });
    }
    const shown = await call('/api/applications/get', owner, { applicationId: id });
    expect(shown.body.project_id).toBe(folder.id);
  });

  it('400 when the folder is not named at all', async () => {
    const owner = await createOwner(api);
    const { id } = await createApplication(api, owner);
    const refused = await call('/api/applications/move', owner, { applicationId: id });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VA001' } });
  });

  it('403 for a member who may only read', async () => {
    const owner = await createOwner(api);
    const reader = await createMember(api, owner);
    const { id } = await createApplication(api, owner);
    const refused = await call('/api/applications/move', reader, { applicationId: id, targetFolderId: null });
    expect(refused).toMatchObject({ status: 403, body: { code: 'CA005' } });
  });

  it('ends cleanly when the folder is deleted at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await createOwner(api);
      const folder = await createProject(api, owner);
      const { id } = await createApplication(api, owner);
      const [moved, deleted] = await Promise.all([
        call('/api/applications/move', owner, { applicationId: id, targetFolderId: folder.id }),
        call('/api/projects/delete', owner, { projectId: folder.id }),
      ]);
      expect(deleted.status).toBe(200);
      expect([200, 404]).toContain(moved.status);
      const shown = await call('/api/applications/get', owner, { applicationId: id });
      expect(shown.body.project_id).toBeNull();
    }
  });
});
