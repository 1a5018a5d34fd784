import type { StaticAnswer } from '../static/static-answer.ts';
import { StaticVisit } from '../traffic/static-visit.ts';
import type { FrontConnection } from './front-connection.ts';
import type { Front } from './front.ts';
import type { RequestHead } from './request-head.ts';

/** Answers a request with a file, or with what the edge says itself: at once, or when it is read. */
export function answerStatic(
  front: Front,
  client: FrontConnection,
  head: RequestHead,
  planned: StaticAnswer | Promise<StaticAnswer>,
): void {
  if (!(planned instanceof Promise)) return write(front, client, head, planned, null);
  const visit = visitOf(client, head);
  client.beBusy();
  planned.then(
    (answer) => write(front, client, head, answer, visit),
    () => client.destroy(),
  );
}

function write(
  front: Front,
  client: FrontConnection,
  head: RequestHead,
  planned: StaticAnswer,
  begun: StaticVisit | null,
): void {
  const { socket } = client;
  if (socket.destroyed) return begun?.end();
  const tail = client.endOfHead(head.isKeptAlive, false);
  const answer = head.method === 'HEAD' ? { ...planned, body: null } : planned;
  const written = front.writeNow(socket, answer, tail);
  if (written > 0) {
    if (begun) begun.endWith(answer.status);
    else head.counters?.noteAtOnce(answer.status, head.byteCount, written);
    head.access?.end(answer.status, written);
    return client.onExchangeOver();
  }
  const visit = begun ?? visitOf(client, head);
  client.beBusy();
  void front.writeFromDisk(socket, client, { answer, tail, visit }).then(() => client.onExchangeOver());
}

const visitOf = ({ socket }: FrontConnection, { counters, access, byteCount }: RequestHead): StaticVisit =>
  new StaticVisit(socket, { counters, access }, byteCount);
