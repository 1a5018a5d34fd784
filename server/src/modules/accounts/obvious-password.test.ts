import { describe, expect, it } from 'vitest';
import { createOwner, createUser } from '../../testing/factories.ts';
import { startApi } from '../../testing/harness.ts';
import { isObvious } from './obvious-password.ts';

const EMAIL = 'ada.lovelace@example.org';

describe('a password', () => {
  it.each([
    'password',
    'Password1',
    'PASSWORD123!',
    'letmein!!!',
    '12345678',
    '123456789012',
    '87654321',
    'abcdefgh',
    '1q2w3e4r',
    'qwertyui',
    'aaaaaaaaaaaa',
    ' 11111111 ',
    'ｐａｓｓｗｏｒｄ',
    'ada.lovelace',
    'Ada.Lovelace@Example.org',
  ])('%j is tried first', (password) => expect(isObvious(password, EMAIL)).toBe(true));

  it.each([
    'a long pass phrase',
    'passwords are hard',
    'my password',
    '12345678 monkeys',
    'ada.lovelace 1815',
    'aaaaaaab',
  ])('%j is not', (password) => expect(isObvious(password, EMAIL)).toBe(false));
});

const words = (field: string) =>
  `${field} is too common: it would be guessed first. Choose another; a few words are best.`;

describe('one that is tried first', () => {
  it('is refused at registration, and the invitation stays good', async () => {
    await using api = await startApi();
    const owner = await createOwner(api);
    const invited = await api.call('/api/organisations/invite', {
      token: owner.token,
      body: { targetOrganisationId: owner.organisationId, email: 'grace.hopper@example.org', role: 'user' },
    });
    const register = (password: string) =>
      api.call('/api/auth/register', {
        body: { invitationToken: invited.body.url.split(/[#/=]/).at(-1), password, firstName: 'Grace' },
        headers: { 'x-client-type': 'cli' },
      });
    for (const password of ['12345678', 'grace.hopper']) {
      const { status, body } = await register(password);
      expect([status, body.code, body.message]).toEqual([400, 'VA001', words('password')]);
    }
    expect((await register('a few words of mine')).status).toBe(201);
  });

  it('is refused where somebody changes theirs', async () => {
    await using api = await startApi();
    const { token, password } = await createUser(api);
    const change = (newPassword: string) =>
      api.call('/api/profile/password', { token, body: { currentPassword: password, newPassword } });
    const { status, body } = await change('password1');
    expect([status, body.code, body.message]).toEqual([400, 'VA001', words('newPassword')]);
    expect((await change('a few words of mine')).status).toBe(200);
  });
});
