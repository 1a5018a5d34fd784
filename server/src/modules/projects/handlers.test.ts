import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication, createOwner, createProject, type TestOwner } from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const call = (path: string, who: TestOwner, body: object = {}) =>
  api.call(path, { token: who.token, body: { targetOrganisationId: who.organisationId, ...body } });

describe('POST /api/projects/create', () => {
  it('201 with the folder, and it is in the list', async () => {
    const owner = await createOwner(api);
    const created = await call('/api/projects/create', owner, { name: ' Shop ' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^fld_/),
      name: 'Shop',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const list = await call('/api/projects', owner);
    expect(list.body).toEqual({ items: [created.body], totalItems: 1, totalPages: 1, currentPage: 1 });
  });

  it('409 when the organisation has a folder of this name, in whatever case; another organisation may', async () => {
    const [owner, other] = [await createOwner(api), await createOwner(api)];
    await call('/api/projects/create', owner, { name: 'Shop' });
    const refused = await call('/api/projects/create', owner, { name: ' sHOP' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'CF001' } });
    expect((await call('/api/projects/create', other, { name: 'Shop' })).status).toBe(201);
  });

  it('makes one of many of the same name at the same moment', async () => {
    const owner = await createOwner(api);
    const create = () => call('/api/projects/create', owner, { name: 'Race' });
    const answers = await Promise.all(Array.from({ length: 6 }, create));
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409]);
    expect((await call('/api/projects', owner)).body.totalItems).toBe(1);
  });
});

describe('POST /api/projects', () => {
  it('pages, sorts and filters', async () => {
    const owner = await createOwner(api);
    for (const name of ['beta', 'Alpha', 'gamma']) await createProject(api, { ...owner, name });
    const names = async (body: object) =>
      (await call('/api/projects', owner, body)).body.items.map((item: { name: string }) => item.name);
    expect(await names({})).toEqual(['gamma', 'Alpha', 'beta']);
    expect(await names({ sortColumn: 'name', sortOrder: 'asc' })).toEqual(['Alpha', 'beta', 'gamma']);
    expect(await names({ sortColumn: 'name', limit: 1, page: 2 })).toEqual(['beta']);
    expect(await names({ filter: 'ALPH' })).toEqual(['Alpha']);
    expect(await names({ sortColumn: 'nonsense', page: -3, limit: 1e9 })).toEqual(['gamma', 'Alpha', 'beta']);
  });
});

describe('POST /api/projects/rename', () => {
  it('renames it, also to another case of its own name', async () => {
    const owner = await createOwner(api);
    const { id } = await createProject(api, { ...owner, name: 'before' });
    for (const name of ['After', 'AFTER']) {
      const renamed = await call('/api/projects/rename', owner, { projectId: id, name });
      expect(renamed).toMatchObject({ status: 200, body: { id, name } });
    }
  });

  it('409 when another folder has the name; 404 when the folder is of another organisation', async () => {
    const [owner, other] = [await createOwner(api), await createOwner(api)];
    const { id } = await createProject(api, { ...owner, name: 'one' });
    await createProject(api, { ...owner, name: 'two' });
    const taken = await call('/api/projects/rename', owner, { projectId: id, name: 'TWO' });
    expect(taken).toMatchObject({ status: 409, body: { code: 'CF001' } });
    const hidden = await call('/api/projects/rename', other, { projectId: id, name: 'mine' });
    expect(hidden).toMatchObject({ status: 404, body: { code: 'NF001' } });
  });
});

describe('POST /api/projects/delete', () => {
  it('moves what it holds to the root', async () => {
    const owner = await createOwner(api);
    const folder = await createProject(api, owner);
    const application = await createApplication(api, { ...owner, projectId: folder.id });
    expect((await call('/api/projects/delete', owner, { projectId: folder.id })).status).toBe(200);
    const { body } = await call('/api/applications/get', owner, { applicationId: application.id });
    expect(body.project_id).toBeNull();
    expect((await call('/api/projects', owner)).body.totalItems).toBe(0);
    expect((await call('/api/projects/delete', owner, { projectId: folder.id })).status).toBe(404);
  });
});
