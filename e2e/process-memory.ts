import { once } from 'node:events';
import { until, type Platform } from './platform.ts';

/** With this a process that is asked to be looked into takes any port: several may be at a time. */
export const ANY_INSPECTOR_PORT = { NODE_OPTIONS: '--inspect-port=0' };

/** How much memory a process of the platform holds on to, when all that it no longer needs has been collected. */
export interface MemoryGauge {
  keptMib(): Promise<number>;
  close(): void;
}

/** Looks into it as a debugger does, so that nothing of it has to be made for this. */
export async function openMemoryGauge(platform: Platform, pid: number): Promise<MemoryGauge> {
  const heard = addressesIn(platform).length;
  process.kill(pid, 'SIGUSR1');
  await until('it can be looked into', () => addressesIn(platform).length > heard);
  const socket = new WebSocket(addressesIn(platform).at(-1)!);
  await once(socket, 'open');
  let last = 0;
  const ask = async (method: string, params: object = {}) => {
    const id = ++last;
    const answered = new Promise<InspectorAnswer>((resolve, reject) => {
      const refuse = () => reject(new Error(`Process ${pid} can no longer be looked into.`));
      socket.addEventListener('close', refuse);
      const take = ({ data }: MessageEvent<string>) => {
        const answer = JSON.parse(data) as InspectorAnswer;
        if (answer.id !== id) return;
        socket.removeEventListener('message', take);
        socket.removeEventListener('close', refuse);
        resolve(answer);
      };
      socket.addEventListener('message', take);
    });
    socket.send(JSON.stringify({ id, method, params }));
    return (await answered).result?.result?.value;
  };
  return {
    async keptMib() {
      // What waits to be told that its last holder is gone is collected only then.
      for (let round = 0; round < 3; round++) await ask('HeapProfiler.collectGarbage');
      return Number(await ask('Runtime.evaluate', { expression: KEPT_BYTES, returnByValue: true })) / 1024 ** 2;
    },
    close: () => socket.close(),
  };
}

interface InspectorAnswer {
  id?: number;
  result?: { result?: { value?: unknown } };
}

const KEPT_BYTES = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';

function addressesIn(platform: Platform): string[] {
  return [...platform.output().matchAll(/ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/g)].map(([address]) => address);
}
