import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../lib/exec.ts';
import { openTestMachine, type TestMachine } from '../../runtime/network/testing/test-machine.ts';
import { createSourceLimits } from './source-limits.ts';

const obstacle = await createSourceLimits({ config: { home: '/nowhere' } }).obstacle();
if (obstacle) console.warn(`limits of sources are not tested here: ${obstacle}`);

const LIMITED = 15_001;
const OTHER = 15_002;

/** Opens so many connections that nobody closes, and says how many it got. */
const HOLD = `
  const { connect } = require('node:net');
  const [host, port, count] = process.argv.slice(1);
  const one = () => new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), allowHalfOpen: true });
    socket.once('connect', () => resolve(1)).once('error', () => resolve(0)).resume();
  });
  (async () => {
    let got = 0;
    for (let n = 0; n < Number(count); n++) got += await one();
    console.log(got);
    process.exit();
  })();`;

const connections = async (enter: readonly string[], host: string, port: number) => {
  const [program, ...rest] = [...enter, process.execPath, '-e', HOLD, host, String(port), '12'];
  const { stdout, stderr } = await run([program, ...rest], { env: {}, timeoutMs: 30_000 });
  return stdout.trim() || stderr;
};

describe.skipIf(obstacle !== null)('the limits of one source', () => {
  let machine: TestMachine;
  let outside: readonly string[];
  beforeAll(async () => {
    machine = await openTestMachine('nftables');
    ({ enter: outside } = await machine.connect({ name: 'lan', network: '203.0.113' }));
    for (const port of [LIMITED, OTHER]) await machine.serve(machine.enter, { port, host: '::', answer: 'x' });
  });
  afterAll(() => machine[Symbol.asyncDispose]());

  const limits = (home = '/one') => createSourceLimits({ config: { home } }, machine.tools);
  const fromOutside = (port: number) => connections(outside, '203.0.113.1', port);

  it('are those of each port, and count nobody of this machine', async () => {
    expect(await fromOutside(LIMITED)).toBe('12');
    await limits().hold([{ port: LIMITED, most: 5 }], []);
    expect(await fromOutside(LIMITED)).toBe('5');
    expect(await fromOutside(OTHER)).toBe('12');
    for (const host of ['127.0.0.1', '::1', '203.0.113.1']) {
      expect(await connections(machine.enter, host, LIMITED)).toBe('12');
    }
    // What is over is not counted any more.
    expect(await fromOutside(LIMITED)).toBe('5');
  });

  it('leave instances alone, are changed and forgotten, and belong to one installation', async () => {
    await limits('/other').hold([{ port: OTHER, most: 3 }], []);
    await limits().hold([{ port: LIMITED, most: 5 }], ['203.0.113.0/24']);
    expect(await fromOutside(LIMITED)).toBe('12');
    await limits().hold([{ port: LIMITED, most: 7 }], ['10.0.0.0/8']);
    expect(await fromOutside(LIMITED)).toBe('7');
    await limits().hold([], []);
    expect(await fromOutside(LIMITED)).toBe('12');
    expect(await fromOutside(OTHER)).toBe('3');
    await limits('/other').hold([], []);
    expect(await machine.tools.run(['nft', 'list', 'tables'])).not.toContain('lilac_db_limits');
  });
});
