import { describe, expect, it } from 'vitest';
import { assertFramework, frameworks } from './frameworks.ts';

describe('assertFramework', () => {
  it('takes whatever detection may answer, the names people write for it, and libraries', () => {
    expect(frameworks.length).toBeGreaterThan(80);
    expect(frameworks).toEqual([...new Set(frameworks)].toSorted());
    for (const name of [...frameworks, 'react', 'vue', 'next', 'next.js', 'nuxt', 'spring', 'docker', 'other']) {
      expect(() => assertFramework('framework', name)).not.toThrow();
    }
  });

  it.each(['nextjss', 'rect', 'x'])('refuses %s, and says where to look', (name) => {
    expect(() => assertFramework('framework', name)).toThrow(
      expect.objectContaining({
        code: 'VA001',
        message: expect.stringMatching(new RegExp(`^framework "${name}".*/api/config/platform`)),
      }),
    );
  });
});
