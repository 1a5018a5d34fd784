import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface TestProcess extends AsyncDisposable {
  pid: number;
}

/** One that does nothing, and knows of nothing but what it is given. */
export async function startProcess({
  cwd = '/',
  env = {},
}: Pick<SpawnOptions, 'cwd' | 'env'> = {}): Promise<TestProcess> {
  const child = spawn('sleep', ['600'], { cwd, env: { PATH: process.env['PATH'], ...env }, stdio: 'ignore' });
  await once(child, 'spawn');
  return endable(child);
}

const LISTENER = `
const server = require('node:net').createServer();
server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

/** One that listens at a port. */
export async function startListener(): Promise<TestProcess & { port: number }> {
  const child = spawn(process.execPath, ['-e', LISTENER], {
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { ...endable(child), port: Number(line) };
}

const endable = (child: ChildProcess): TestProcess => ({
  pid: child.pid!,
  async [Symbol.asyncDispose]() {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  },
});
