import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHostTools } from '../../runtime/network/host-tools.ts';
import { openTestMachine, type TestMachine } from '../../runtime/network/testing/test-machine.ts';
import { createRedirects, redirectObstacle } from './redirects.ts';
import type { Lead } from './stable-address.ts';

const obstacle = await redirectObstacle(createHostTools());
if (obstacle) console.warn(`redirects are not tested here: ${obstacle}`);

const STABLE = 15_001;
const ELSEWHERE = 15_002;
const FURTHER = 15_003;
const to = (target: number): Lead => ({ target, networks: [] });

describe.skipIf(obstacle !== null)('redirects', () => {
  let machine: TestMachine;
  let outside: readonly string[];

  beforeAll(async () => {
    machine = await openTestMachine('nftables');
    ({ enter: outside } = await machine.connect({ name: 'lan', network: '203.0.113' }));
    for (const port of [STABLE, ELSEWHERE, FURTHER]) {
      await machine.serve(machine.enter, { port, host: '::', answer: `${port} from {from}` });
    }
  });
  afterAll(() => machine[Symbol.asyncDispose]());

  const open = (id = '0a1b2c3d') => createRedirects({ tools: machine.tools, id });
  const fromOutside = () => machine.call(outside, '203.0.113.1', STABLE);
  const fromInside = (host: string) => machine.call(machine.enter, host, STABLE);

  it('lead connections elsewhere at once, from outside and from the machine itself, and back', async () => {
    const addresses = open();
    expect(await fromOutside()).toBe('15001 from ::ffff:203.0.113.2');
    await addresses.point(STABLE, to(ELSEWHERE));
    // Who comes is still seen: the server decides who may.
    expect(await fromOutside()).toBe('15002 from ::ffff:203.0.113.2');
    for (const host of ['127.0.0.1', '::1', '203.0.113.1']) expect(await fromInside(host)).toMatch(/^15002 from /);
    await addresses.point(STABLE, to(FURTHER));
    expect(await fromOutside()).toMatch(/^15003 /);
    await addresses.point(STABLE, null);
    expect(await fromOutside()).toMatch(/^15001 /);
  });

  it('leave what is beyond this machine alone, though it has the same port', async () => {
    const addresses = open();
    await machine.serve(outside, { port: STABLE, answer: 'beyond' });
    await addresses.point(STABLE, to(ELSEWHERE));
    expect(await machine.call(machine.enter, '203.0.113.2', STABLE)).toBe('beyond');
    await addresses.point(STABLE, null);
  });

  it('outlive whoever set them, and belong to one installation', async () => {
    await open().point(STABLE, to(ELSEWHERE));
    await open('ffffffff').point(FURTHER, to(ELSEWHERE));
    expect(await open().list()).toEqual(new Map([[STABLE, ELSEWHERE]]));
    await open().hold(new Map());
    expect(await open().list()).toEqual(new Map());
    expect(await open('ffffffff').list()).toEqual(new Map([[FURTHER, ELSEWHERE]]));
    await open('ffffffff').point(FURTHER, null);
    expect(await machine.tools.run(['nft', 'list', 'tables'])).not.toContain('lilac_db');
  });

  it('are put back when somebody has flushed them', async () => {
    const addresses = open();
    const wanted = new Map([[STABLE, to(ELSEWHERE)]]);
    await addresses.hold(wanted);
    await machine.tools.run(['nft', 'flush', 'ruleset']);
    expect(await addresses.list()).toEqual(new Map());
    await addresses.hold(wanted);
    expect(await fromOutside()).toMatch(/^15002 /);
    await machine.tools.run(['nft', 'flush', 'chain', 'inet', 'lilac_db_0a1b2c3d', 'output']);
    await addresses.hold(wanted);
    expect(await fromInside('127.0.0.1')).toMatch(/^15002 /);
    await addresses.hold(new Map());
  });

  it('of several ports changed at the same time are all kept', async () => {
    const addresses = open();
    const ports = Array.from({ length: 8 }, (_, index) => 16_000 + index);
    await Promise.all(ports.map((port) => addresses.point(port, to(port + 100))));
    expect(await addresses.list()).toEqual(new Map(ports.map((port) => [port, port + 100])));
    await addresses.hold(new Map());
  });
});
