import { ApiError, createLilac } from '@lilac/sdk';
import { expect, it } from 'vitest';
import { startPlatformDouble } from '../testing/start-platform-double.ts';
import { createOnce } from './create-once.ts';

const wanted = { name: 'Shop', uploadId: 'upl_1', deploymentType: 'static' } as const;

/** Says that it is away; whether it did what was asked is another matter. */
async function startForgetful(makes: boolean) {
  const items = [{ id: 'app_1', name: 'Shop', url: 'http://a' }];
  return await startPlatformDouble({
    '/api/applications': () => ({ body: { items, totalItems: items.length, totalPages: 1, currentPage: 1 } }),
    '/api/applications/create-from-upload': () => {
      if (makes) items.push({ id: 'app_2', name: 'Shop', url: 'http://b' });
      return { status: 502, body: '<html>' };
    },
  });
}

it('finds the application that was made though the answer was lost, and makes no second one', async () => {
  using platform = await startForgetful(true);
  const lilac = createLilac({ baseUrl: platform.url, token: 'lc_key' });
  expect(await createOnce(lilac, wanted)).toEqual({ id: 'app_2', url: 'http://b' });
  expect(platform.received.filter(({ path }) => path.endsWith('upload'))).toHaveLength(1);
});

it('fails as the call did where none was made', async () => {
  using platform = await startForgetful(false);
  const lilac = createLilac({ baseUrl: platform.url, token: 'lc_key' });
  await expect(createOnce(lilac, wanted, 1)).rejects.toThrow(ApiError);
});
