import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Config } from '../../config.ts';

const ANSWER_TIMEOUT_MS = 5000;

/** What the running platform answers, by the port itself, whatever stands in front of the public address. */
export async function askPlatform(
  { port, bind, publicUrl }: Pick<Config, 'port' | 'bind' | 'publicUrl'>,
  path: string,
): Promise<{ status: number | undefined; body: string }> {
  const request = get({
    host: bind === '::' || bind === '0.0.0.0' ? '127.0.0.1' : bind,
    port,
    path,
    headers: { host: publicUrl.host },
    agent: false,
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}
