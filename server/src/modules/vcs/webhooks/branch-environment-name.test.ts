import { expect, it } from 'vitest';
import { branchEnvironmentNames } from './branch-environment-name.ts';

function first(branch: string, count = 1): string[] {
  const names = branchEnvironmentNames(branch);
  return Array.from({ length: count }, () => names.next().value as string);
}

it('is what an address can have of the name of a branch', () => {
  expect(first('feature/ÄÖ-x')).toEqual(['feature-ao-x']);
  expect(first('Fix__THE.thing')).toEqual(['fix-the-thing']);
  expect(first('production', 3)).toEqual(['production', 'production-2', 'production-3']);
});

it('is never longer than an address, nor empty, and always another', () => {
  for (const branch of ['x'.repeat(200), `${'x'.repeat(60)}-${'y'.repeat(140)}`, '日本', '---', 'a/b']) {
    const names = first(branch, 200);
    expect(new Set(names).size).toBe(200);
    for (const name of names) expect(name).toMatch(/^(?=.{1,63}$)[a-z0-9]+(?:-[a-z0-9]+)*$/);
  }
});
