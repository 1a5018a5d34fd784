import { createServer } from 'node:net';
import { expect, it, vi } from 'vitest';
import { freePort } from '../conformance-subject.ts';
import { launchWithRoom } from './launch-with-room.ts';
import type { ServerPlace } from './server-host.ts';

const FULL = 'the disk is full';

/** What is done, in its order, where so many bytes are left and the launches fail by these words. */
async function doneWhere({ left, fails = [] }: { left: number | null; fails?: string[] }) {
  const done: string[] = [];
  const words = [...fails];
  const outcome = await launchWithRoom({
    host: {
      space: () => Promise.resolve({ usedBytes: 0, promisedBytes: 0, hardBytes: left }),
      giveUpReserve: () => Promise.resolve(void done.push('reserve')),
    },
    place: {} as ServerPlace,
    port: await freePort(),
    neededBytes: 10,
    async launch() {
      done.push('launch');
      const why = words.shift();
      if (why !== undefined) throw new Error(why);
    },
    isOutOfSpace: (said) => said.includes(FULL),
    brake: () => Promise.resolve(void done.push('brake')),
  }).catch((error: Error) => error.message);
  return outcome === undefined ? done : [...done, outcome];
}

it.each([
  ['with room', { left: 11 }, ['launch']],
  ['where nothing bounds it', { left: null }, ['launch']],
  ['without room', { left: 10 }, ['reserve', 'launch', 'brake']],
  ['where room was too little after all', { left: 11, fails: [FULL] }, ['launch', 'reserve', 'launch', 'brake']],
  ['that fails for another reason', { left: 11, fails: ['no'] }, ['launch', 'no']],
  ['that fails with the reserve too', { left: 10, fails: [FULL] }, ['reserve', 'launch', FULL]],
])('a server %s is started so', async (_, world, done) => {
  expect(await doneWhere(world)).toEqual(done);
});

it('is not started where another program has its port', async () => {
  const other = createServer().listen(0);
  const { port } = other.address() as { port: number };
  const launch = vi.fn<() => Promise<void>>();
  const wants = { host: {}, place: {}, port, neededBytes: 0, launch } as unknown as Parameters<
    typeof launchWithRoom
  >[0];
  await expect(launchWithRoom(wants)).rejects.toThrow(`Port ${port} is taken by another program.`);
  expect(launch).not.toHaveBeenCalled();
  other.close();
}, 10_000);
