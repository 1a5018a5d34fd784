import { join } from 'node:path';
import { run } from '../../server/src/lib/exec.ts';
import { BROWSER } from './browser.ts';
import { PATH } from './programs.ts';
import { LOAD_CORE } from './cores.ts';

const CONNECTIONS = 50;
const ROUND_SECONDS = 1;

export interface LoadOrder {
  scheme?: 'http' | 'https';
  port: number;
  path: string;
  host: string;
}

/** Asks for one file over kept-alive connections, one request at a time on each. */
export async function sendLoad({ scheme = 'http', ...order }: LoadOrder): Promise<{ answers: number }> {
  const { stdout } = await run(
    [
      ...(['taskset', '-c', LOAD_CORE, 'wrk', '-t1', `-c${CONNECTIONS}`, `-d${ROUND_SECONDS}s`] as const),
      // Whom the URL names is whom the handshake names, too.
      '-s',
      join(import.meta.dirname, 'here.lua'),
      ...[`Host: ${order.host}`, ...BROWSER].flatMap((header) => ['-H', header]),
      `${scheme}://${order.host}:${order.port}${order.path}`,
    ],
    { env: { PATH } },
  );
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  const answers = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  if (!(answers > 0)) throw new Error(stdout);
  return { answers };
}
