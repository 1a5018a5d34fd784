import { run } from '../../server/src/lib/exec.ts';
import { PATH } from './programs.ts';

const CONNECTIONS = 50;
const ROUND_SECONDS = 1;
const LOAD_CORE = '0';
const BROWSER = [
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Accept-Language: en-GB,en;q=0.9',
  'Accept-Encoding: gzip, deflate, br, zstd',
  'Sec-Fetch-Dest: document',
  'Sec-Fetch-Mode: navigate',
  'Sec-Fetch-Site: none',
  'Upgrade-Insecure-Requests: 1',
];

/** Asks for one file over kept-alive connections, one request at a time on each. */
export async function sendLoad(order: { port: number; path: string; host: string }): Promise<{ answers: number }> {
  const { stdout } = await run(
    [
      ...(['taskset', '-c', LOAD_CORE, 'wrk', '-t1', `-c${CONNECTIONS}`, `-d${ROUND_SECONDS}s`] as const),
      ...[`Host: ${order.host}`, ...BROWSER].flatMap((header) => ['-H', header]),
      `http://127.0.0.1:${order.port}${order.path}`,
    ],
    { env: { PATH } },
  );
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  const answers = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  if (!(answers > 0)) throw new Error(stdout);
  return { answers };
}
