import { request as startRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';
import type { PutAnswer, PutRequest } from '../conformance-presigned.ts';

/** Sends to a signed address as a hostile client could: not through URL, which would mend what is left broken. */
export async function sendPut(
  to: Pick<RequestOptions, 'socketPath' | 'host' | 'port'>,
  address: string,
  { method, headers, body }: PutRequest,
): Promise<PutAnswer> {
  const path = address.replace(/^http:\/\/[^/]+/, '');
  const pieces = body === undefined ? [] : Buffer.isBuffer(body) ? [body] : body;
  const length = Buffer.isBuffer(body) ? { 'content-length': String(body.length) } : {};
  const request = startRequest({ ...to, path, method, agent: false, headers: { ...headers, ...length } });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  for (const piece of pieces) request.write(piece);
  request.end();
  const answer = await answered;
  return { status: answer.statusCode ?? 0, body: await text(answer) };
}
