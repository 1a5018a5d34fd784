import { readFileSync } from 'node:fs';
import type Docker from 'dockerode';
import { describe, expect, it } from 'vitest';
import { STACK_IMAGE } from '../stack-image.ts';
import { isAway } from './engine-errors.ts';
import { asRefusal, findObstacle, openEngine, stateOfEngine } from './engine.ts';
import { startPretendedEngine } from './testing/pretended-engine.ts';

const failure = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
};

const stateAt = (socketPath: string) => stateOfEngine(openEngine(socketPath), 1000);

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

describe('what stands in the way of an engine', () => {
  const NOWHERE = '/nowhere/docker.sock';

  it('nothing where it has the stack image', async () => {
    await using ready = await startPretendedEngine('ready');
    expect(await findObstacle(openEngine(ready.socketPath), ready.socketPath)).toBeNull();
  });

  it('that it lacks the stack image, and how to make it', async () => {
    await using lacking = await startPretendedEngine('lacks-image');
    const obstacle = await findObstacle(openEngine(lacking.socketPath), lacking.socketPath);
    expect(obstacle).toContain(`lacks the image ${STACK_IMAGE}`);
    expect(obstacle).toContain('node deploy/stack/make-image.mjs --load');
  });

  it('that nobody is there, and what to do', async () => {
    expect(await findObstacle(openEngine(NOWHERE), NOWHERE)).toBe(
      `The engine of Docker does not answer at ${NOWHERE} (ENOENT): start it, or name another runtime in LILAC_RUNTIME.`,
    );
  });

  it('that it hangs: nobody waits for it for ever', async () => {
    await using hanging = await startPretendedEngine('hangs');
    const obstacle = await findObstacle(openEngine(hanging.socketPath), hanging.socketPath, 50);
    expect(obstacle).toContain(`does not answer at ${hanging.socketPath} (ETIMEDOUT)`);
  });

  it('that its socket is not for this user', async () => {
    const denied = Object.assign(new Error('connect EACCES'), { code: 'EACCES', syscall: 'connect' });
    const engine = { getImage: () => ({ inspect: () => Promise.reject(denied) }) } as unknown as Docker;
    expect(await findObstacle(engine, NOWHERE)).toBe(`Lilac may not use ${NOWHERE}: run it as root.`);
  });
});

it('an engine lacks the image only where it says so: one that is away or hangs may have it', async () => {
  await using ready = await startPretendedEngine('ready');
  await using lacking = await startPretendedEngine('lacks-image');
  await using hanging = await startPretendedEngine('hangs');
  expect(await stateAt(ready.socketPath)).toBe('ready');
  expect(await stateAt(lacking.socketPath)).toBe('lacking');
  expect(await stateAt(hanging.socketPath)).toBe('silent');
  expect(await stateAt('/nowhere/docker.sock')).toBe('silent');
});
