import { expect, it } from 'vitest';
import type { HeldEnvironment } from './deployment-store.ts';
import { memoryMbOf, runSpecOf } from './run-spec-of.ts';
import { builtServer } from './testing/stand-in-builder.ts';

function held(environment: object, application: object = {}): HeldEnvironment {
  return {
    environment: { memory: null, cpu: null, ...environment },
    application: { memory: '512Mi', cpu: null, concurrency: 80, cpu_target: 70, ...application },
  } as HeldEnvironment;
}

it('takes the environment’s size, otherwise the application’s, and a processor that goes with the memory', () => {
  const size = (...of: Parameters<typeof held>) => {
    const { memoryMb, cpus } = runSpecOf(builtServer, held(...of));
    return [memoryMb, cpus];
  };
  expect(size({})).toEqual([512, 0.5]);
  expect(size({ memory: '2Gi' })).toEqual([2048, 1]);
  expect(size({ memory: '24Gi' })).toEqual([24_576, 6]);
  expect(size({ memory: '1Gi', cpu: '2' }, { cpu: '0.25' })).toEqual([1024, 2]);
  expect(size({}, { memory: '256Mi', cpu: '0.08' })).toEqual([256, 0.08]);
  expect(runSpecOf(builtServer, held({}))).toMatchObject({ ...builtServer, concurrency: 80, cpuTarget: 70 });
});

it('refuses what is no amount of memory', () => {
  expect(() => memoryMbOf('lots')).toThrow('Not an amount of memory');
});
