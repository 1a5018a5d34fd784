import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { eventually } from '../../testing/eventually.ts';
import { watchEngine } from './watch-engine.ts';

const NO_LEADER = '{"message":"rpc error: code = Unknown desc = The swarm does not have a leader."}';
const NO_MANAGER = '{"message":"This node is not a swarm manager."}';

async function startFakeEngine() {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-engine-watch-'));
  const socketPath = join(folder, 'docker.sock');
  const engine = { trouble: '', isAway: false };
  const server = createServer((request, response) => {
    if (engine.isAway) return request.socket.destroy();
    const isTrouble = request.url === '/swarm' && engine.trouble !== '';
    return response.writeHead(isTrouble ? 503 : 200).end(isTrouble ? engine.trouble : '{}');
  }).listen(socketPath);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { socketPath, engine };
}

it('a host whose engine is a manager with the image is fit, and goes on for a while when it is none', async () => {
  const { socketPath, engine } = await startFakeEngine();
  const watch = await watchEngine({ socketPath, log: silentLog });
  onTestFinished(() => watch.close());
  expect(watch.fitness()).toBe('fit');
  engine.trouble = NO_MANAGER;
  await eventually('it is seen', () => watch.fitness() !== 'fit');
  expect(watch.fitness()).toBe('unsure');
  engine.trouble = '';
  await eventually('it is back', () => watch.fitness() === 'fit');
});

it('a host whose engine has never answered is not fit', async () => {
  const watch = await watchEngine({ socketPath: '/nowhere/docker.sock', log: silentLog });
  onTestFinished(() => watch.close());
  expect(watch.fitness()).toBe('unfit');
});

it.each([
  { what: 'is no manager any more', trouble: NO_MANAGER, isAway: false },
  { what: 'does not answer', trouble: '', isAway: true },
])('a host whose engine $what makes way soon, and one whose swarm elects who leads it does not', async (change) => {
  const { socketPath, engine } = await startFakeEngine();
  const watch = await watchEngine({ socketPath, log: silentLog, awayMs: 1500, electionMs: 600_000 });
  onTestFinished(() => watch.close());
  engine.trouble = NO_LEADER;
  await eventually('it is seen', () => watch.fitness() === 'unsure');
  Object.assign(engine, change);
  await eventually('it is seen that it takes no election', () => watch.fitness() !== 'unsure');
  expect(watch.fitness()).toBe('unfit');
});

it('a host whose swarm has nobody who leads it for long makes way, too', async () => {
  const { socketPath, engine } = await startFakeEngine();
  const watch = await watchEngine({ socketPath, log: silentLog, electionMs: 1 });
  onTestFinished(() => watch.close());
  engine.trouble = NO_LEADER;
  await eventually('it is seen', () => watch.fitness() !== 'fit');
  expect(watch.fitness()).toBe('unfit');
});
