import { get, type ClientRequest, type RequestOptions } from 'node:http';
import { get as getSecurely } from 'node:https';
import { isIP } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Config } from '../../config.ts';
import { answerOf } from '../../lib/answer-of.ts';

const ANSWER_TIMEOUT_MS = 5000;

type Asked = Pick<Config, 'port' | 'bind' | 'publicUrl'> & { tls: Pick<Config['tls'], 'port'> };

interface Answer {
  status: number | undefined;
  body: string;
}

/**
 * What the running platform answers, by the ports themselves, whatever stands in front of the public address. Where
 * everybody is sent from http to https, it is asked there; whether its certificate is good is another matter.
 */
export async function askPlatform(config: Asked, path: string): Promise<Answer> {
  const { port, bind, publicUrl, tls } = config;
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const common: RequestOptions = {
    host: bind === '::' || bind === '0.0.0.0' ? '127.0.0.1' : bind,
    path,
    headers: { host: publicUrl.host },
    agent: false,
    signal,
  };
  const answer = await read(get({ ...common, port }), signal);
  const isMoved = answer.status === 308 && (answer.location?.startsWith('https:') ?? false);
  if (!isMoved || tls.port === null) return answer;
  const { hostname } = publicUrl;
  const servername = isIP(hostname) === 0 ? hostname : '';
  return read(getSecurely({ ...common, port: tls.port, servername, rejectUnauthorized: false }), signal);
}

async function read(request: ClientRequest, signal: AbortSignal): Promise<Answer & { location: string | undefined }> {
  const response = await answerOf(request, { signal });
  return { status: response.statusCode, body: await text(response), location: response.headers.location };
}
