import { describe, expect, it } from 'vitest';
import type { Environment } from './domain-state.ts';
import { MOST_LOOKED, readAllNamed, type Reads } from './read-named.ts';

/** So many applications; the last has a domain, and the first was deleted a moment ago. */
function platformWith(count: number): Reads & { asked: string[] } {
  const all = Array.from({ length: count }, (_, at) => ({ id: `app_${at}`, name: `App ${at}` }));
  const asked: string[] = [];
  return {
    asked,
    list: ({ page, limit }) =>
      Promise.resolve({ items: all.slice((page - 1) * limit, page * limit), totalPages: Math.ceil(count / limit) }),
    environmentsOf(id) {
      asked.push(id);
      const custom_domain = id === all.at(-1)?.id ? 'www.example.org' : null;
      return Promise.resolve(id === 'app_0' ? null : [{ id: `env_${id}`, custom_domain } as Environment]);
    },
  };
}

describe('the applications of the page of domains', () => {
  it('begin with those that have a domain, wherever they were in the list', async () => {
    const named = (await readAllNamed(platformWith(25)))!;
    expect(named.map(({ id }) => id).slice(0, 3)).toEqual(['app_24', 'app_1', 'app_2']);
    expect(named).toHaveLength(24);
  });

  it('are not all asked for where they are too many', async () => {
    const platform = platformWith(MOST_LOOKED + 1);
    expect(await readAllNamed(platform)).toBeNull();
    expect(platform.asked).toEqual([]);
    expect(await readAllNamed(platformWith(MOST_LOOKED))).toHaveLength(MOST_LOOKED - 1);
  });
});
