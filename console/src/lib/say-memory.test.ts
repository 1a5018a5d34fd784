import { expect, it } from 'vitest';
import { sayMemory } from './say-memory.ts';

it.each([
  ['512Mi', '512 MiB'],
  ['1.5Gi', '1.5 GiB'],
  ['lots', 'lots'],
])('%s is said as %s', (memory, said) => expect(sayMemory(memory)).toBe(said));
