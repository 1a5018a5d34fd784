import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asRefusal, isAway, openEngine } from './engine.ts';

const failure = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
};

describe('an engine that does not answer', () => {
  it('is told from a file that is missing', async () => {
    const silent = await failure(() => openEngine('/nowhere/docker.sock').ping());
    expect(isAway(silent)).toBe(true);
    expect((asRefusal(silent, '/nowhere/docker.sock') as Error).message).toContain('does not answer');
    const missing = await failure(() => readFileSync('/nowhere/at/all'));
    expect(isAway(missing)).toBe(false);
    expect(asRefusal(missing, '/nowhere/docker.sock')).toBe(missing);
  });
});
