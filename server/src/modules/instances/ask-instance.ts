import { request } from 'node:http';

export interface Asking {
  path: string;
  /** The environment's address: some applications answer to their own name only. */
  url: string;
  timeoutMs: number;
}

/** The status that the instance answers with; null when none comes in time. Never fails. */
export function askInstance(
  { host, port }: { host: string; port: number },
  { path, url, timeoutMs }: Asking,
): Promise<number | null> {
  const asAsked = new URL(url);
  const protocol = asAsked.protocol.slice(0, -1);
  const headers = {
    host: asAsked.host,
    accept: '*/*',
    'user-agent': 'Lilac-Check',
    'x-forwarded-proto': protocol,
    'x-forwarded-host': asAsked.host,
  };
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const asked = request({ host, port, path, headers, agent: false, signal });
    asked.once('response', (response) => {
      resolve(response.statusCode ?? null);
      response.on('error', () => {}).destroy();
    });
    asked.on('error', () => resolve(null));
    asked.end();
  });
}
