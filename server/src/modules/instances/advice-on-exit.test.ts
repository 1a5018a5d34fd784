import { expect, it } from 'vitest';
import { adviceOn } from './advice-on-exit.ts';

const notFound = { exitCode: 127, isOutOfMemory: false };

it.each(['docker', 'swarm'])('of %s it tells that the stack image lacks a program, and how to add it', (runtime) => {
  const advice = adviceOn(notFound, { runtime, isOwnImage: false });
  expect(advice).toMatch(/^ A program that it needs is not in the image.*make-image\.mjs --with <packages>/);
});

it('tells nothing of the stack image where the machine, or an image of its own, is what lacks it', () => {
  expect(adviceOn(notFound, { runtime: 'sandbox', isOwnImage: false })).toMatch(/not installed here/);
  expect(adviceOn(notFound, { runtime: undefined, isOwnImage: false })).toMatch(/not installed here/);
  expect(adviceOn(notFound, { runtime: 'docker', isOwnImage: true })).toMatch(/not in its image/);
});

it('says nothing where the program itself has more to say', () => {
  const ranIn = { runtime: 'docker', isOwnImage: false };
  expect(adviceOn({ exitCode: 1, isOutOfMemory: false }, ranIn)).toBe('');
  expect(adviceOn({ exitCode: 127, isOutOfMemory: true }, ranIn)).toBe('');
  expect(adviceOn({ exitCode: null, isOutOfMemory: false, isMachineLost: true }, ranIn)).toBe(' Deploy again.');
});
