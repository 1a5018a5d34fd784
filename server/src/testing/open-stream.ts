import { once } from 'node:events';
import { request as startRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { EventParser, type ParsedEvent } from '@lilac/contract/event-parser';
import { eventually } from './eventually.ts';

export interface OpenedStream extends Disposable {
  status: number;
  headers: IncomingHttpHeaders;
  /** All that came. */
  text: () => string;
  events: ParsedEvent[];
  lastEventId: () => string;
  isOver: () => boolean;
  /** Until so many events have come. */
  has: (count: number) => Promise<void>;
  ended: () => Promise<void>;
  /** Reads nothing more until `resume`. */
  pause: () => void;
  resume: () => void;
  close: () => void;
}

export interface StreamCall {
  port: number;
  path: string;
  token?: string | undefined;
  lastEventId?: string | undefined;
  headers?: Record<string, string>;
  method?: string;
}

/** A client of a stream on a real connection. */
export async function openStream(call: StreamCall): Promise<OpenedStream> {
  const { port, path, token, lastEventId, method = 'GET' } = call;
  const request = startRequest({
    port,
    host: '127.0.0.1',
    path,
    method,
    agent: false,
    headers: {
      accept: 'text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...call.headers,
    },
  }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // It may be cut off, and that is an end too.
  request.on('error', () => {});
  return readStream(response);
}

function readStream(response: IncomingMessage): OpenedStream {
  const parser = new EventParser();
  const events: ParsedEvent[] = [];
  let text = '';
  let isOver = false;
  response.setEncoding('utf8');
  response.on('error', () => {});
  response.once('close', () => (isOver = true));
  response.on('data', (piece: string) => {
    text += piece;
    events.push(...parser.push(piece));
  });
  const close = () => void response.destroy();
  return {
    status: response.statusCode!,
    headers: response.headers,
    text: () => text,
    events,
    lastEventId: () => parser.lastEventId,
    isOver: () => isOver,
    has: (count) => eventually(`${count} events have come`, () => events.length >= count),
    ended: () => eventually('the stream has ended', () => isOver),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close,
    [Symbol.dispose]: close,
  };
}
