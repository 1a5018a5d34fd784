import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { start } from '../../lib/exec.ts';

/** A program that serves until it is stopped. */
export interface RunningServer {
  pid: number;
  stop(): Promise<void>;
}

/** Resolves once it answers; fails with what it has said when it ends before. */
export async function runServer(
  argv: readonly [string, ...string[]],
  { env = {}, answers }: { env?: Record<string, string>; answers: (said: string) => Promise<boolean> | boolean },
): Promise<RunningServer> {
  const child = start(argv, { env: { PATH: '/usr/sbin:/usr/bin:/bin', ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => (said = (said + chunk).slice(-4000)));
  }
  const ended = once(child, 'close');
  const stopAtExit = () => void child.kill('SIGKILL');
  process.once('exit', stopAtExit);
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    process.off('exit', stopAtExit);
  };
  const deadline = Date.now() + 20_000;
  while (!(await answers(said))) {
    if (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
      await delay(10);
      continue;
    }
    await stop();
    throw new Error(`${argv[0]} does not answer: ${said}`);
  }
  return { pid: child.pid!, stop };
}

/** Free at this moment, for TCP on loopback. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
