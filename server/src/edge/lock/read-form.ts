import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

const MAX_BYTES = 8192;

/** The fields of a form that was sent; null when it is none, or too large. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | null> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return null;
  const body = await text(limited(request));
  return body.length > MAX_BYTES ? null : new URLSearchParams(body);
}

/** No more of it than it takes to see that it is too much. */
async function* limited(request: IncomingMessage): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = chunk as Buffer;
    yield bytes;
    length += bytes.length;
    if (length > MAX_BYTES) return;
  }
}
