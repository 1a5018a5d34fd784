import { describe, expect, it } from 'vitest';
import { lilac } from '../testing/lilac.ts';
import { startPlatformDouble } from '../testing/start-platform-double.ts';

/** Whatever is asked. */
const empty = new Proxy({}, { get: () => ({ body: {} }) });

describe('what answers in JSON and is no platform of this version', () => {
  it.each([
    ['apps list', 'lc_key'],
    ['apps list --json', 'lc_key'],
    ['logs env_1', 'lc_key'],
    ['metrics env_1', 'lc_key'],
    ['whoami', 'lc_key'],
    ['whoami', 'a.session.token'],
    ['login', 'lc_key'],
  ])('is called that by "lilac %s"', async (command, token) => {
    using platform = await startPlatformDouble(empty);
    const { exitCode, out, err } = await lilac(command, { LILAC_API_URL: platform.url, LILAC_TOKEN: token });
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err).toContain(`What answers at ${platform.url} is not Lilac, or one of another version`);
  });

  it('is printed without what a terminal would obey', async () => {
    const odd = { code: '\u001b[31mX', errorId: 'e\u001b]0;title\u0007', message: 'No.' };
    using platform = await startPlatformDouble({ '/api/applications': { status: 500, body: odd } });
    const { err } = await lilac('apps list', { LILAC_API_URL: platform.url, LILAC_TOKEN: 'lc_key' });
    expect(err).toContain('No. (X)');
    expect(err).not.toContain('\u001b');
  });
});
