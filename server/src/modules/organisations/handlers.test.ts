import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createApiKey,
  createApplication,
  createMember,
  createOwner,
  createProject,
  createUser,
  type TestUser,
} from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const call = (path: string, who: TestUser, body: object) => api.call(path, { token: who.token, body });

describe('POST /api/organisations/create', () => {
  it('201: the caller owns it, on the free plan', async () => {
    const person = await createUser(api);
    const created = await call('/api/organisations/create', person, { name: '  Café du Nord ' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^org_/),
      name: 'Café du Nord',
      slug: 'cafe-du-nord',
      plan: 'free',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const members = await call('/api/organisations/members', person, { targetOrganisationId: created.body.id });
    expect(members.body).toEqual([expect.objectContaining({ user_id: person.userId, role: 'owner' })]);
  });

  it('gives organisations of the same name slugs of their own, also at the same moment', async () => {
    const person = await createUser(api);
    const create = () => call('/api/organisations/create', person, { name: 'Twins' });
    const created = await Promise.all(Array.from({ length: 8 }, create));
    expect(created.map((answer) => answer.status)).toEqual(Array(8).fill(201));
    const slugs = created.map((answer) => answer.body.slug as string);
    expect(new Set(slugs).size).toBe(8);
    expect(slugs).toContain('twins');
    for (const slug of slugs) expect(slug).toMatch(/^twins(-[0-9a-f]{6})?$/);
  });

  it('400 when the name is blank', async () => {
    const person = await createUser(api);
    const refused = await call('/api/organisations/create', person, { name: ' \t ' });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VA001' } });
  });
});

describe('POST /api/organisations/get and update', () => {
  it('renames it and keeps its slug', async () => {
    const owner = await createOwner(api, { name: 'Before it' });
    const organisation = { targetOrganisationId: owner.organisationId };
    const updated = await call('/api/organisations/update', owner, { ...organisation, name: ' After it ' });
    expect(updated).toMatchObject({ status: 200, body: { name: 'After it', slug: 'before-it', plan: 'pro' } });
    expect((await call('/api/organisations/get', owner, organisation)).body).toEqual(updated.body);
  });

  it('403 for somebody who is no member', async () => {
    const [owner, stranger] = [await createOwner(api), await createOwner(api)];
    const refused = await call('/api/organisations/get', stranger, { targetOrganisationId: owner.organisationId });
    expect(refused).toMatchObject({ status: 403, body: { code: 'CA004' } });
  });
});

describe('POST /api/organisations/plan', () => {
  it('stops the keys at once when it becomes free, and lets them work again afterwards', async () => {
    const owner = await createOwner(api, { plan: 'pro' });
    const { secret } = await createApiKey(api, { organisationId: owner.organisationId });
    const setPlan = (plan: string) =>
      call('/api/organisations/plan', owner, { targetOrganisationId: owner.organisationId, plan });
    const useKey = () => api.call('/api/applications', { token: secret, body: {} });
    expect((await setPlan('free')).body.plan).toBe('free');
    expect(await useKey()).toMatchObject({ status: 402, body: { code: 'CA008' } });
    expect((await setPlan('enterprise')).body.plan).toBe('enterprise');
    expect((await useKey()).status).toBe(200);
  });

  it('403 for an admin', async () => {
    const owner = await createOwner(api);
    const admin = await createMember(api, { organisationId: owner.organisationId, role: 'admin' });
    const body = { targetOrganisationId: owner.organisationId, plan: 'enterprise' };
    expect(await call('/api/organisations/plan', admin, body)).toMatchObject({ status: 403, body: { code: 'CA005' } });
  });
});

describe('POST /api/organisations/delete', () => {
  it('takes everything that belongs to it along, and may be the last one of a person', async () => {
    const owner = await createOwner(api);
    const organisation = { targetOrganisationId: owner.organisationId };
    const { secret } = await createApiKey(api, { organisationId: owner.organisationId });
    await createProject(api, { organisationId: owner.organisationId });
    await call('/api/organisations/invite', owner, { ...organisation, email: 'somebody@example.org' });
    expect((await call('/api/organisations/delete', owner, organisation)).status).toBe(200);
    expect(await call('/api/organisations/get', owner, organisation)).toMatchObject({ body: { code: 'CA004' } });
    expect(await api.call('/api/applications', { token: secret, body: {} })).toMatchObject({ body: { code: 'CA002' } });
    const created = await call('/api/organisations/create', owner, { name: 'Next' });
    expect(created.status).toBe(201);
  });

  it('409 while it holds applications, and nothing is lost', async () => {
    const owner = await createOwner(api);
    const organisation = { targetOrganisationId: owner.organisationId };
    const folder = await createProject(api, { organisationId: owner.organisationId });
    await createApplication(api, { organisationId: owner.organisationId, projectId: folder.id });
    const refused = await call('/api/organisations/delete', owner, organisation);
    expect(refused).toMatchObject({ status: 409, body: { code: 'CF001' } });
    expect((await call('/api/projects', owner, organisation)).body.totalItems).toBe(1);
    expect((await call('/api/applications', owner, organisation)).body.totalItems).toBe(1);
  });

  it('403 for an admin', async () => {
    const owner = await createOwner(api);
    const admin = await createMember(api, { organisationId: owner.organisationId, role: 'admin' });
    const body = { targetOrganisationId: owner.organisationId };
    expect(await call('/api/organisations/delete', admin, body)).toMatchObject({
      status: 403,
      body: { code: 'CA005' },
    });
  });
});
