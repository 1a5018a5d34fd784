import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMember, createOwner, type TestOwner } from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const call = (path: string, who: TestOwner, body: object) =>
  api.call(path, { token: who.token, body: { targetOrganisationId: who.organisationId, ...body } });
const update = (who: TestOwner, userId: string, role: string) =>
  call('/api/organisations/members/update', who, { userId, role });
const remove = (who: TestOwner, userId: string) => call('/api/organisations/members/remove', who, { userId });

async function ownersOf({ organisationId }: TestOwner): Promise<string[]> {
  const rows = await api.store.db
    .selectFrom('memberships')
    .select('user_id')
    .where('organisation_id', '=', organisationId)
    .where('role', '=', 'owner')
    .execute();
  return rows.map((row) => row.user_id);
}

describe('POST /api/organisations/members', () => {
  it('lists the members of this organisation, whoever joined first first', async () => {
    const owner = await createOwner(api);
    await createOwner(api);
    const member = await createMember(api, { organisationId: owner.organisationId });
    const { body } = await call('/api/organisations/members', member, {});
    expect(body).toEqual([
      { user_id: owner.userId, email: owner.email, first_name: 'Test', role: 'owner', joined_at: expect.any(String) },
      expect.objectContaining({ user_id: member.userId, role: 'user' }),
    ]);
  });
});

describe('POST /api/organisations/members/update', () => {
  it('changes a role, which counts from the next request on', async () => {
    const owner = await createOwner(api);
    const member = await createMember(api, { organisationId: owner.organisationId });
    const rename = () => call('/api/organisations/update', member, { name: 'Renamed' });
    expect((await rename()).status).toBe(403);
    const updated = await update(owner, member.userId, 'admin');
    expect(updated).toMatchObject({ status: 200, body: { user_id: member.userId, role: 'admin' } });
    expect((await rename()).status).toBe(200);
  });

  it('409 when the only owner would become something else', async () => {
    const owner = await createOwner(api);
    await createMember(api, { organisationId: owner.organisationId, role: 'admin' });
    expect(await update(owner, owner.userId, 'admin')).toMatchObject({ status: 409, body: { code: 'CF001' } });
    expect((await update(owner, owner.userId, 'owner')).status).toBe(200);
  });

  it('403 for an admin; 404 for somebody who is no member', async () => {
    const [owner, stranger] = [await createOwner(api), await createOwner(api)];
    const admin = await createMember(api, { organisationId: owner.organisationId, role: 'admin' });
    expect(await update(admin, admin.userId, 'owner')).toMatchObject({ status: 403, body: { code: 'CA005' } });
    expect(await update(owner, stranger.userId, 'user')).toMatchObject({ status: 404, body: { code: 'NF001' } });
  });

  it('leaves an owner when all owners demote each other at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const first = await createOwner(api);
      const others = await Promise.all(
        [1, 2, 3].map(() => createMember(api, { organisationId: first.organisationId, role: 'owner' })),
      );
      const owners = [first, ...others];
      const answers = await Promise.all(
        owners.map((who, index) => update(who, owners[(index + 1) % owners.length]!.userId, 'user')),
      );
      expect((await ownersOf(first)).length).toBeGreaterThanOrEqual(1);
      // A 403 is an owner who was demoted before their own request was admitted.
      for (const { status } of answers) expect([200, 403, 409]).toContain(status);
    }
  });
});

describe('POST /api/organisations/members/remove', () => {
  it('lets anybody leave, and an owner remove others', async () => {
    const owner = await createOwner(api);
    const member = await createMember(api, { organisationId: owner.organisationId });
    const admin = await createMember(api, { organisationId: owner.organisationId, role: 'admin' });
    expect((await remove(member, member.userId)).status).toBe(200);
    expect((await remove(owner, admin.userId)).status).toBe(200);
    expect(await remove(admin, admin.userId)).toMatchObject({ status: 403, body: { code: 'CA004' } });
    expect((await call('/api/organisations/members', owner, {})).body).toHaveLength(1);
  });

  it('403 when somebody who is no owner removes another, who stays', async () => {
    const owner = await createOwner(api);
    const admin = await createMember(api, { organisationId: owner.organisationId, role: 'admin' });
    for (const userId of [owner.userId, 'usr_unknown']) {
      expect(await remove(admin, userId)).toMatchObject({ status: 403, body: { code: 'CA005' } });
    }
    expect(await ownersOf(owner)).toEqual([owner.userId]);
  });

  it('404 for somebody who is no member; 409 for the only owner', async () => {
    const owner = await createOwner(api);
    expect(await remove(owner, 'usr_unknown')).toMatchObject({ status: 404, body: { code: 'NF001' } });
    expect(await remove(owner, owner.userId)).toMatchObject({ status: 409, body: { code: 'CF001' } });
  });

  it('leaves an owner when all owners leave at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const first = await createOwner(api);
      const others = await Promise.all(
        [1, 2, 3].map(() => createMember(api, { organisationId: first.organisationId, role: 'owner' })),
      );
      const answers = await Promise.all([first, ...others].map((who) => remove(who, who.userId)));
      expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 409]);
      expect(await ownersOf(first)).toHaveLength(1);
    }
  });
});
