import { describe, expect, it } from 'vitest';
import { createOwner, createUser, type TestOwner } from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';

const cli = { 'x-client-type': 'cli' };

async function invite(api: TestApi, owner: TestOwner, email: string): Promise<string> {
  const answer = await api.call('/api/organisations/invite', {
    token: owner.token,
    body: { targetOrganisationId: owner.organisationId, email, role: 'admin' },
  });
  expect(answer.status).toBe(201);
  return answer.body.url.split(/[#/=]/).at(-1);
}

function register(api: TestApi, invitationToken: string, extra: object = {}) {
  const body = { invitationToken, password: 'a long password', firstName: 'Eve', ...extra };
  return api.call('/api/auth/register', { body, headers: cli });
}

describe('POST /api/auth/register', () => {
  it('creates an account with the address of the invitation and no other, a member with its role', async () => {
    await using api = await startApi();
    const owner = await createOwner(api);
    const token = await invite(api, owner, 'eve@example.org');
    const answer = await register(api, token, { email: 'mallory@example.org' });
    expect(answer.status).toBe(201);
    const profile = await api.call('/api/auth/profile', { token: answer.body.token });
    expect(profile.body).toMatchObject({
      email: 'eve@example.org',
      first_name: 'Eve',
      organisations: [{ id: owner.organisationId, role: 'admin' }],
    });
  });

  it('404 for an invitation that was used, and for one that never was', async () => {
    await using api = await startApi();
    const token = await invite(api, await createOwner(api), 'eve@example.org');
    expect((await register(api, token)).status).toBe(201);
    expect((await register(api, token)).status).toBe(404);
    expect((await register(api, 'unknown')).status).toBe(404);
  });

  it('of many at once exactly one creates the account', async () => {
    await using api = await startApi();
    const token = await invite(api, await createOwner(api), 'eve@example.org');
    const answers = await Promise.all(Array.from({ length: 5 }, () => register(api, token)));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => [404, 409].includes(answer.status))).toHaveLength(4);
  });

  it('409 when the address has an account: its owner signs in and accepts', async () => {
    await using api = await startApi();
    const owner = await createOwner(api);
    const eve = await createUser(api, { email: 'eve@example.org' });
    const token = await invite(api, owner, 'Eve@Example.org');
    const refused = await register(api, token);
    expect([refused.status, refused.body.code]).toEqual([409, 'CF001']);
    const accepted = await api.call('/api/organisations/invitations/accept', {
      token: eve.token,
      body: { invitationToken: token },
    });
    expect(accepted.status).toBe(200);
  });
});
