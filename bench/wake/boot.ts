import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { start } from '../../server/src/lib/exec.ts';

/** From the start of the program, by itself, to the first connection that it takes; in milliseconds. */
export async function bootOf(folder: string, port: number): Promise<number> {
  const startedAt = performance.now();
  const child = start([process.execPath, 'server.js'], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', PORT: String(port), NODE_ENV: 'production' },
    stdio: 'ignore',
  });
  while (!(await accepts(port))) await delay(1);
  const ms = performance.now() - startedAt;
  child.kill('SIGKILL');
  await once(child, 'exit');
  return ms;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => {}).once('connect', () => socket.destroy());
  });
}
