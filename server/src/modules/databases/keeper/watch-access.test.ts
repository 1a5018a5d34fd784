import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeInstanceNetwork } from '../../../runtime/instance-network-file.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createKeeperBench, type KeeperBench } from '../testing/keeper-bench.ts';

let bench: KeeperBench;
beforeEach(async () => {
  bench = await createKeeperBench();
});
afterEach(() => bench[Symbol.asyncDispose]());

const moveInstances = (range: string) => writeInstanceNetwork(bench.config, { range, hostAddress: '10.0.0.1' });
const admittedBy = async (id: string) => (await bench.primaryOf(id)).spec.access.instanceNetworks;

describe('a database whose instances stand elsewhere than when its server started', () => {
  it('lets them in, after a restart of the platform and in the middle of its life', async () => {
    const id = await bench.add();
    moveInstances('10.213.36.0/22');
    await bench.keep();
    await eventually('it knows where they are', async () => (await admittedBy(id))[0] === '10.213.36.0/22');
    moveInstances('10.99.0.0/22');
    await eventually('it knows where they went', async () => (await admittedBy(id))[0] === '10.99.0.0/22');
    expect(bench.engine.calls).not.toContain('start');
  });

  it('is left alone while a job changes who may come', async () => {
    const id = await bench.add({ status: 'updating' });
    const other = await bench.add();
    moveInstances('10.213.36.0/22');
    await bench.keep();
    await eventually('the other one knows', async () => (await admittedBy(other))[0] === '10.213.36.0/22');
    expect(await admittedBy(id)).toEqual(['127.0.0.0/8']);
  });

  it('is told anew after every start, which may have been by rows of before', async () => {
    const id = await bench.add();
    const { engine } = bench;
    moveInstances('10.213.36.0/22');
    await bench.keep();
    await eventually('it knows where they are', async () => (await admittedBy(id))[0] === '10.213.36.0/22');
    const server = await bench.primaryOf(id);
    let starts = 0;
    engine.around = (moment, method) => {
      if (moment !== 'after' || method !== 'start') return;
      starts++;
      server.spec = { ...server.spec, access: { networks: [], instanceNetworks: [], ownAddresses: [] } };
    };
    engine.crash(server.spec.id);
    await eventually('it was started', () => starts > 0);
    await eventually('it knows again', async () => (await admittedBy(id))[0] === '10.213.36.0/22');
    expect(starts).toBe(1);
  });
});
