import { describe, expect, it } from 'vitest';
import { PlanRefused } from '../../plan.ts';
import { planFor } from '../testing/plan-for.ts';

describe('a package.json that is not one', () => {
  it.each([
    ['[]', 'package.json must hold an object ({ … }), but holds a list.'],
    ['"vite"', 'package.json must hold an object ({ … }), but holds a text.'],
    ['null', 'package.json must hold an object ({ … }), but holds null.'],
    ['{"scripts": ["vite build"]}', '“scripts” in package.json must hold an object ({ … }), but holds a list.'],
    ['{"dependencies": "vite"}', '“dependencies” in package.json must hold an object ({ … }), but holds a text.'],
    ['{"scripts": {"build": 5}}', 'The script “build” in package.json must be a text, a command, but is a number.'],
    [
      '{"scripts": {"build": {"a": 1}}}',
      'The script “build” in package.json must be a text, a command, but is an object',
    ],
  ])('%s is refused with what is wrong in it', async (text, message) => {
    const plan = planFor({ 'package.json': text, 'index.html': '' });
    await expect(plan).rejects.toThrow(PlanRefused);
    await expect(plan).rejects.toThrow(message);
  });

  it('but notes among the scripts, and what is left null, do no harm', async () => {
    const scripts = { '//': ['a note'], test: null, build: 'vite build' };
    const files = { 'package.json': { scripts, devDependencies: { vite: '7.0.0' }, dependencies: null } };
    expect((await planFor(files)).framework).toBe('vite');
  });
});
