import { describe, expect, it } from 'vitest';
import { matchPath } from './match-path.ts';

describe('which page an address is of', () => {
  it('knows the ids in it', () => {
    expect(matchPath('/environments/env_1/logs')).toEqual({
      pattern: '/environments/:environmentId/logs',
      params: { environmentId: 'env_1' },
    });
  });

  it('takes what is written out before what stands for an id', () => {
    expect(matchPath('/databases/new')).toEqual({ pattern: '/databases/new', params: {} });
  });

  it('is none for an unknown address, an id that is empty, or one part too many', () => {
    for (const path of ['/nowhere', '/apps/', '/apps/app_1/settings/more', '//']) expect(matchPath(path)).toBeNull();
  });

  it('is none where it is badly encoded, as the server says too', () => {
    for (const path of ['/apps/%E0%A4%A', '/apps/%', '/%zz']) expect(matchPath(path)).toBeNull();
  });

  it('reads ids as they are meant', () => {
    expect(matchPath('/apps/a%20b')?.params).toEqual({ applicationId: 'a b' });
  });
});
