import { request } from 'node:http';
import { answerOf } from '../../lib/answer-of.ts';

export interface Asking {
  path: string;
  /** The environment's address: some applications answer to their own name only. */
  url: string;
  timeoutMs: number;
}

/** The status that the instance answers with; null when none comes in time. Never fails. */
export async function askInstance(
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
  const signal = AbortSignal.timeout(timeoutMs);
  const asked = request({ host, port, path, headers, agent: false, signal });
  asked.end();
  try {
    const response = await answerOf(asked, { signal });
    response.on('error', () => {}).destroy();
    return response.statusCode ?? null;
  } catch {
    return null;
  }
}
