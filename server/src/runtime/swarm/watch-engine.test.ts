import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../lib/log.ts';
import { eventually } from '../../testing/eventually.ts';
import { watchEngine } from './watch-engine.ts';

async function startFakeEngine() {
  const folder = mkdtempSync(join(tmpdir(), 'lilac-engine-watch-'));
  const socketPath = join(folder, 'docker.sock');
  const engine = { isManager: true };
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/swarm' && !engine.isManager ? 503 : 200).end('{}');
  }).listen(socketPath);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { socketPath, engine };
}

it('a host whose engine is a manager with the image is fit, and goes on for a while when it answers no more', async () => {
  const { socketPath, engine } = await startFakeEngine();
  const watch = await watchEngine({ socketPath, log: silentLog });
  onTestFinished(() => watch.close());
  expect(watch.fitness()).toBe('fit');
  engine.isManager = false;
  await eventually('it is seen', () => watch.fitness() !== 'fit');
  expect(watch.fitness()).toBe('unsure');
  engine.isManager = true;
  await eventually('it is back', () => watch.fitness() === 'fit');
});

it('a host whose engine has never answered is not fit', async () => {
  const watch = await watchEngine({ socketPath: '/nowhere/docker.sock', log: silentLog });
  onTestFinished(() => watch.close());
  expect(watch.fitness()).toBe('unfit');
});
