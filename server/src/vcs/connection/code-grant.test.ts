import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { HostUnavailable } from '../vcs-host.ts';
import { createCodeGrant, type CodeGrantOptions } from './code-grant.ts';

const settings = { clientId: 'the id', clientSecret: 's3:cret' };
const redirectUrl = 'https://lilac.example/callback';

function grantOf(answer: () => Response, options: Partial<CodeGrantOptions> = {}) {
  const asked: { authorization: string | null; form: URLSearchParams }[] = [];
  const clock = createFakeClock();
  const grant = createCodeGrant({
    fetch: async (input, init) => {
      const request = new Request(input, init);
      asked.push({
        authorization: request.headers.get('authorization'),
        form: new URLSearchParams(await request.text()),
      });
      return answer();
    },
    settings,
    hostName: 'The host',
    authorizeUrl: 'https://host.example/authorize',
    tokenUrl: 'https://host.example/token',
    scope: 'api',
    clientBy: 'form',
    clock,
    ...options,
  });
  return { grant, asked, now: () => clock.now().getTime() };
}

const granted = { access_token: 'new', token_type: 'bearer' };

function scopeAskedFor(scope: string | null): string | null {
  const { grant } = grantOf(() => new Response(), { scope });
  return new URL(grant.authorizeUrl({ state: 's', redirectUrl })).searchParams.get('scope');
}

describe('the code grant', () => {
  it('shows who the platform is in the form, or as the user of a basic authorization', async () => {
    const form = grantOf(() => Response.json(granted));
    await form.grant.redeemCode({ code: 'c', redirectUrl });
    expect(Object.fromEntries(form.asked[0]!.form)).toEqual({
      grant_type: 'authorization_code',
      code: 'c',
      redirect_uri: redirectUrl,
      client_id: 'the id',
      client_secret: 's3:cret',
    });
    const basic = grantOf(() => Response.json(granted), { clientBy: 'basic' });
    await basic.grant.refreshTokens('r');
    expect(basic.asked[0]!.authorization).toBe(`Basic ${Buffer.from('the%20id:s3%3Acret').toString('base64')}`);
    expect(Object.fromEntries(basic.asked[0]!.form)).toEqual({ grant_type: 'refresh_token', refresh_token: 'r' });
  });

  it('asks for scopes only where they are not chosen at the host', () => {
    expect(scopeAskedFor('api')).toBe('api');
    expect(scopeAskedFor(null)).toBeNull();
  });

  it('reckons from its own clock when access ends, and takes access that never does', async () => {
    const ending = grantOf(() => Response.json({ ...granted, refresh_token: 'next', expires_in: 7200 }));
    const tokens = { accessToken: 'new', refreshToken: 'next', expiresAt: ending.now() + 7_200_000 };
    expect(await ending.grant.redeemCode({ code: 'c', redirectUrl })).toEqual(tokens);
    const endless = grantOf(() => Response.json(granted));
    const forever = { accessToken: 'new', refreshToken: null, expiresAt: null };
    expect(await endless.grant.redeemCode({ code: 'c', redirectUrl })).toEqual(forever);
  });

  it('keeps a refresh token that the host does not replace', async () => {
    const { grant } = grantOf(() => Response.json({ ...granted, expires_in: 7200 }));
    expect(await grant.refreshTokens('old')).toMatchObject({ accessToken: 'new', refreshToken: 'old' });
  });

  it('tells what was taken back from a platform that the host does not know, and from a host in trouble', async () => {
    const taken = grantOf(() => Response.json({ error: 'invalid_grant' }, { status: 400 }));
    expect(await taken.grant.refreshTokens('r')).toBeNull();
    const unknown = grantOf(() => Response.json({ error: 'invalid_client' }, { status: 401 }));
    await expect(unknown.grant.refreshTokens('r')).rejects.toMatchObject({ code: 'CF001' });
    const page = grantOf(() => new Response('<h1>We will be back</h1>'));
    await expect(page.grant.refreshTokens('r')).rejects.toThrow(HostUnavailable);
  });

  it('does not take the word of a proxy for that of the host', async () => {
    for (const status of [401, 403, 404, 407]) {
      for (const words of ['<h1>The firewall says no</h1>', 'no', '']) {
        const { grant } = grantOf(() => new Response(words, { status }));
        await expect(grant.refreshTokens('r')).rejects.toThrow(HostUnavailable);
      }
    }
  });
});
