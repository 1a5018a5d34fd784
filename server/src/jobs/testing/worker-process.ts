import { once } from 'node:events';
import { join } from 'node:path';
import { start } from '../../lib/exec.ts';
import type { WorkerTiming } from '../worker-timing.ts';

export interface WorkerProcess extends AsyncDisposable {
  pid: number;
  /** Resolves when it takes jobs. */
  ready: Promise<void>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

export function startWorkerProcess(options: {
  url: string;
  name: string;
  timing?: Partial<WorkerTiming>;
}): WorkerProcess {
  const program = join(import.meta.dirname, 'worker-program.ts');
  const args = ['--url', options.url, '--name', options.name, '--timing', JSON.stringify(options.timing ?? {})];
  const child = start([process.execPath, program, ...args], { env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const isReady = async () => void (await Promise.race([once(child.stdout!, 'data'), exited]));
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return {
    pid: child.pid!,
    ready: isReady(),
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
