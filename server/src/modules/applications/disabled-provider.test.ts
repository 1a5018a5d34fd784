import { describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { createOwner } from '../../testing/factories.ts';
import { startApi } from '../../testing/harness.ts';

describe('a repository host whose feature is off', () => {
  it('403 FF001 wherever one of its repositories is named, by its address or by the provider', async () => {
    const { vcsUrls } = readConfig({ LILAC_VCS_URL: 'http://127.0.0.1:9' });
    const second = new URL('http://127.0.0.1:10/');
    const config = { vcsUrls: { ...vcsUrls, provider2: second }, featureSwitches: { provider2: false } };
    await using api = await startApi({ config });
    const owner = await createOwner(api);
    const call = (path: string, body: object) =>
      api.call(path, { token: owner.token, body: { targetOrganisationId: owner.organisationId, ...body } });
    const vcsRepoUrl = `${second.href}acme/shop`;
    const named = { owner: 'acme', repo: 'shop', branch: 'main', gitProvider: 'provider2' };
    const answers = [
      await call('/api/applications/create', { name: 'Shop', vcsRepoUrl }),
      await call('/api/applications/public-branches', { vcsRepoUrl }),
      await call('/api/applications/detect-framework', named),
      await call('/api/applications/list-repo-directories', named),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'FF001' } });
      expect(answer.body.message).toContain('provider2');
    }
  });
});
