import type { ClientRequest, IncomingMessage } from 'node:http';

export interface AnswerLimits {
  /** Aborted when it has taken too long, or nobody wants to know any more. */
  signal?: AbortSignal | undefined;
}

/**
 * What a request is answered with, or why there is nothing; it settles in any case, as soon as the signal is aborted at
 * the latest. To wait for `response` or `error` alone is to wait for ever, where a server changes the protocol unasked
 * (101): Node ends the connection then and tells of neither, and the request's own signal does nothing any more.
 */
export function answerOf(asked: ClientRequest, { signal }: AnswerLimits = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(signal!.reason as Error);
      asked.destroy();
    };
    asked.once('response', resolve);
    asked.once('upgrade', (_answer, socket) => {
      reject(new Error('It answered with another protocol, which nobody asked for (101).'));
      socket.destroy();
    });
    // There may be another when it has been answered.
    asked.on('error', reject);
    asked.once('close', () => {
      signal?.removeEventListener('abort', giveUp);
      reject(new Error('The connection was closed before there was an answer.'));
    });
    if (signal?.aborted) giveUp();
    else signal?.addEventListener('abort', giveUp, { once: true });
  });
}

export interface BodyLimits extends AnswerLimits {
  maxBytes: number;
}

/** All that an answer says. Throws where that is more than it may be, or does not end before the signal is aborted. */
export async function bodyOf(answer: IncomingMessage, { signal, maxBytes }: BodyLimits): Promise<Buffer> {
  const giveUp = () => void answer.destroy(signal!.reason as Error);
  if (signal?.aborted) giveUp();
  else signal?.addEventListener('abort', giveUp, { once: true });
  try {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of answer) {
      pieces.push(piece as Buffer);
      length += pieces.at(-1)!.length;
      if (length > maxBytes) throw new Error('The answer is too large.');
    }
    return Buffer.concat(pieces);
  } finally {
    signal?.removeEventListener('abort', giveUp);
  }
}
