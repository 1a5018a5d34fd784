import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMember,
  createOwner,
  createUser,
  unique,
  type TestOwner,
  type TestUser,
} from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const DAY_MS = 24 * 60 * 60 * 1000;
const address = () => `${unique('guest')}@example.org`;
const call = (path: string, who: TestOwner, body: object) =>
  api.call(path, { token: who.token, body: { targetOrganisationId: who.organisationId, ...body } });
const invite = (who: TestOwner, body: object) => call('/api/organisations/invite', who, body);
const inOrder = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
const tokenOf = (url: string) => url.split('#')[1]!;
const accept = (who: TestUser, invitationToken: string) =>
  api.call('/api/organisations/invitations/accept', { token: who.token, body: { invitationToken } });
const lookup = (invitationToken: string) =>
  api.call('/api/organisations/invitations/lookup', { body: { invitationToken } });

describe('POST /api/organisations/invite', () => {
  it('201 with a link that the store could not give again', async () => {
    const owner = await createOwner(api);
    const email = address();
    const { status, body } = await invite(owner, { email, role: 'admin' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^inv_/),
      email,
      role: 'admin',
      invited_by: owner.userId,
      expires_at: new Date(api.clock.now().getTime() + 7 * DAY_MS).toISOString(),
      created_at: expect.any(String),
      url: expect.stringMatching(/^http:\/\/localhost:7080\/invite#[\w-]{43}$/),
    });
    const rows = await api.store.db.selectFrom('invitations').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(tokenOf(body.url));
  });

  it('replaces the open invitation of the same address, in whatever case it is written', async () => {
    const owner = await createOwner(api);
    const email = address();
    const first = await invite(owner, { email });
    const second = await invite(owner, { email: email.toUpperCase(), role: 'owner' });
    expect((await lookup(tokenOf(first.body.url))).status).toBe(404);
    expect((await lookup(tokenOf(second.body.url))).body.role).toBe('owner');
    const { body } = await call('/api/organisations/invitations', owner, {});
    expect(body.map((one: { id: string }) => one.id)).toEqual([second.body.id]);
  });

  it('leaves one open invitation when an address is invited many times at the same moment', async () => {
    const owner = await createOwner(api);
    const email = address();
    const answers = await Promise.all(Array.from({ length: 6 }, () => invite(owner, { email })));
    expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(201));
    expect((await call('/api/organisations/invitations', owner, {})).body).toHaveLength(1);
    const open = await Promise.all(answers.map((answer) => lookup(tokenOf(answer.body.url))));
    expect(open.filter((answer) => answer.status === 200)).toHaveLength(1);
  });

  it('409 for somebody who is a member already', async () => {
    const owner = await createOwner(api);
    const member = await createMember(api, { organisationId: owner.organisationId });
    const refused = await invite(owner, { email: member.email.toUpperCase() });
    expect(refused).toMatchObject({ status: 409, body: { code: 'CF001' } });
  });

  it('403 for an admin', async () => {
    const owner = await createOwner(api);
    const admin = await createMember(api, { organisationId: owner.organisationId, role: 'admin' });
    expect(await invite(admin, { email: address() })).toMatchObject({ status: 403, body: { code: 'CA005' } });
  });
});

describe('POST /api/organisations/invitations', () => {
  it('lists what is open, newest first, without the links', async () => {
    const owner = await createOwner(api);
    const expired = await invite(owner, { email: address() });
    api.clock.advance(7 * DAY_MS);
    const older = await invite(await renewed(owner), { email: address() });
    const newer = await invite(await renewed(owner), { email: address() });
    const { body, text } = await call('/api/organisations/invitations', await renewed(owner), {});
    expect(body.map((one: { id: string }) => one.id)).toEqual([newer.body.id, older.body.id]);
    for (const { body } of [expired, older, newer]) expect(text).not.toContain(tokenOf(body.url));
  });
});

describe('POST /api/organisations/invitations/revoke', () => {
  it('makes the link useless, and is 404 for what is not open or of another organisation', async () => {
    const [owner, other] = [await createOwner(api), await createOwner(api)];
    const { body } = await invite(owner, { email: address() });
    const revoke = (who: TestOwner) => call('/api/organisations/invitations/revoke', who, { invitationId: body.id });
    expect(await revoke(other)).toMatchObject({ status: 404, body: { code: 'NF001' } });
    expect((await lookup(tokenOf(body.url))).status).toBe(200);
    expect((await revoke(owner)).status).toBe(200);
    expect((await lookup(tokenOf(body.url))).status).toBe(404);
    expect((await revoke(owner)).status).toBe(404);
  });
});

describe('POST /api/organisations/invitations/lookup', () => {
  it('tells the holder of the link what it is for, and whether to sign in or to register', async () => {
    const owner = await createOwner(api, { name: 'Inviting Ltd' });
    const guest = await createUser(api);
    const newcomer = address();
    const known = await invite(owner, { email: guest.email.toUpperCase() });
    const unknown = await invite(owner, { email: newcomer, role: 'admin' });
    expect((await lookup(tokenOf(known.body.url))).body).toEqual({
      organisation: 'Inviting Ltd',
      email: guest.email.toUpperCase(),
      role: 'user',
      hasAccount: true,
    });
    expect((await lookup(tokenOf(unknown.body.url))).body).toMatchObject({ email: newcomer, hasAccount: false });
  });

  it('404 for a link that never was, and from the moment it expires', async () => {
    const owner = await createOwner(api);
    const { body } = await invite(owner, { email: address() });
    expect(await lookup('x')).toMatchObject({ status: 404, body: { code: 'NF001' } });
    api.clock.advance(7 * DAY_MS - 1);
    expect((await lookup(tokenOf(body.url))).status).toBe(200);
    api.clock.advance(1);
    expect((await lookup(tokenOf(body.url))).status).toBe(404);
  });
});

describe('POST /api/organisations/invitations/accept', () => {
  it('makes the person a member with the role of the invitation, once', async () => {
    const owner = await createOwner(api);
    const guest = await createUser(api);
    const { body } = await invite(owner, { email: guest.email.toUpperCase(), role: 'admin' });
    const accepted = await accept(guest, tokenOf(body.url));
    expect(accepted).toMatchObject({ status: 200, body: { id: owner.organisationId } });
    const members = await call('/api/organisations/members', { ...guest, organisationId: owner.organisationId }, {});
    expect(members.body).toContainEqual(expect.objectContaining({ user_id: guest.userId, role: 'admin' }));
    expect((await accept(guest, tokenOf(body.url))).status).toBe(404);
    expect((await call('/api/organisations/invitations', owner, {})).body).toEqual([]);
  });

  it('404 for anybody else, in the same words as for a link that never was, and it stays open', async () => {
    const owner = await createOwner(api);
    const [guest, thief] = [await createUser(api), await createUser(api)];
    const { body } = await invite(owner, { email: guest.email });
    const refused = await accept(thief, tokenOf(body.url));
    expect(refused).toMatchObject({ status: 404, body: { code: 'NF001' } });
    expect(refused.body).toEqual((await accept(thief, 'made-up')).body);
    expect((await accept(guest, tokenOf(body.url))).status).toBe(200);
  });

  it('lets exactly one of many simultaneous attempts through', async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await createOwner(api);
      const guest = await createUser(api);
      const { body } = await invite(owner, { email: guest.email });
      const answers = await Promise.all(Array.from({ length: 6 }, () => accept(guest, tokenOf(body.url))));
      expect(inOrder(answers)).toEqual([200, 404, 404, 404, 404, 404]);
    }
  });

  it('ends in one of two clean ways when it is accepted and withdrawn at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await createOwner(api);
      const guest = await createUser(api);
      const { body } = await invite(owner, { email: guest.email });
      const [accepted, revoked] = await Promise.all([
        accept(guest, tokenOf(body.url)),
        call('/api/organisations/invitations/revoke', owner, { invitationId: body.id }),
      ]);
      expect(inOrder([accepted, revoked])).toEqual([200, 404]);
      const members = await call('/api/organisations/members', owner, {});
      expect(members.body).toHaveLength(accepted.status === 200 ? 2 : 1);
    }
  });

  it('ends cleanly when the organisation is deleted at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const owner = await createOwner(api);
      const guest = await createUser(api);
      const { body } = await invite(owner, { email: guest.email });
      const [accepted, deleted] = await Promise.all([
        accept(guest, tokenOf(body.url)),
        call('/api/organisations/delete', owner, {}),
      ]);
      expect(deleted.status).toBe(200);
      expect([200, 404]).toContain(accepted.status);
    }
  });

  it('changes no role when the person became a member meanwhile', async () => {
    const owner = await createOwner(api);
    const guest = await createUser(api);
    const { body } = await invite(owner, { email: guest.email, role: 'user' });
    await api.store.db
      .insertInto('memberships')
      .values({ organisation_id: owner.organisationId, user_id: guest.userId, role: 'admin' })
      .execute();
    expect((await accept(guest, tokenOf(body.url))).status).toBe(200);
    const members = await call('/api/organisations/members', owner, {});
    expect(members.body).toContainEqual(expect.objectContaining({ user_id: guest.userId, role: 'admin' }));
  });
});

/** Access tokens end after a quarter of an hour; a test that moves the clock further needs a new one. */
async function renewed(owner: TestOwner): Promise<TestOwner> {
  return { ...owner, token: await api.accessTokens.issue(owner) };
}
