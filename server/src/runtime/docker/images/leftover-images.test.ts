import type { ImageInfo } from 'dockerode';
import { describe, expect, it } from 'vitest';
import { chooseLeftovers } from './leftover-images.ts';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3600_000;

interface Made {
  parent?: string;
  size: number;
  hoursAgo?: number;
  tag?: string;
  environment?: string;
  by?: string;
}

const image = (id: string, { parent = '', size, hoursAgo = 1, tag, environment = 'env_1', by = 'a1' }: Made) =>
  ({
    Id: id,
    ParentId: parent,
    Size: size,
    Created: (NOW - hoursAgo * HOUR_MS) / 1000,
    RepoTags: tag === undefined ? ['<none>:<none>'] : [tag],
    Labels: { 'lilac.built-by': by, 'lilac.built-for': environment },
  }) as unknown as ImageInfo;

const choose = (images: ImageInfo[], { maxBytes = 1000, building = [] as string[] } = {}) =>
  chooseLeftovers(images, { installation: 'a1', building: new Set(building), now: NOW, maxBytes });

describe('what steps of builds have left', () => {
  const base = image('base', { size: 5000, by: '', tag: 'node:22' });

  it('goes after a day, unless an image is made of it, it is being used, or it is another’s', () => {
    const old = { parent: 'base', size: 5001, hoursAgo: 25 };
    const images = [
      base,
      image('old', old),
      image('part', old),
      image('whole', { parent: 'part', size: 5002, hoursAgo: 25, tag: 'lilac.invalid/a1:art_1' }),
      image('theirs', { ...old, by: 'b2' }),
      image('used', { ...old, environment: 'env_2' }),
      image('new', { parent: 'base', size: 5001 }),
    ];
    expect(choose(images, { building: ['env_2'] })).toEqual(['old']);
  });

  it('goes sooner where it is too much, the oldest first, and what several share counts once', () => {
    const images = [
      base,
      image('shared', { parent: 'base', size: 5600 }),
      image('first', { parent: 'shared', size: 5700, hoursAgo: 3 }),
      image('second', { parent: 'shared', size: 5700, hoursAgo: 2 }),
      image('third', { parent: 'base', size: 5300, hoursAgo: 5 }),
    ];
    expect(choose(images)).toEqual(['third']);
    expect(choose(images, { maxBytes: 1100 })).toEqual([]);
    expect(choose(images, { maxBytes: 700 })).toEqual(['first', 'third']);
  });
});
