import { expect, it } from 'vitest';
import { sayUsualCpu } from './say-usual-cpu.ts';

const sizes = [
  { memory: '512Mi', cpu: '0.5' },
  { memory: '2Gi', cpu: '1' },
];

it.each([
  ['512Mi', ['0.08', '0.25', '0.5'], '0.5 (usual for 512 MiB)'],
  ['1Gi', ['0.25', '0.5'], '0.25 (usual for 1 GiB)'],
  ['1Gi', [], 'usual for 1 GiB'],
])('with %s, which %j go with, none chosen is %s', (memory, cpus, said) => {
  expect(sayUsualCpu({ memory, sizes, cpus })).toBe(said);
});
