import type { Socket } from 'node:net';
import type { Log } from '../../lib/log.ts';
import { isChallengePath } from '../acme-challenge-path.ts';
import type { EdgeError } from '../answer.ts';
import { unavailable, type AppAnswer, type AppAnswers } from '../app-answers.ts';
import { protocolOf } from '../client-identity.ts';
import { hasAddress } from '../has-address.ts';
import { SMALL_BLOB_BYTES, type BlobLibrary } from '../static/blob-library.ts';
import { logUnreadable } from '../static/log-unreadable.ts';
import { ReadBuffers } from '../static/read-buffers.ts';
import { errorAnswer, type BlobSlice, type StaticAnswer } from '../static/static-answer.ts';
import type { IsStray } from '../is-stray.ts';
import type { StaticVisit } from '../traffic/static-visit.ts';
import type { ClientDescription, Way } from './client-description.ts';
import { FrontConnection } from './front-connection.ts';
import type { HeldConnection } from './held-connection.ts';
import { KEEP_ALIVE_SECONDS } from './limits.ts';
import { isSimple, type RequestHead } from './request-head.ts';
import { settleTarget } from './settle-target.ts';
import { readyBytes } from './ready-bytes.ts';
import { Room, type RoomOptions } from './room.ts';
import { sendBlob } from './send-blob.ts';

export interface FrontOptions extends RoomOptions {
  /** The key of the application that a Host header names, or null when the host is no application's. */
  appOf(host: string): string | null;
  /** Whether who asks for this application by http is sent to https. Left out: there is no https. */
  isForHttps?: ((app: string) => boolean) | undefined;
  /** Whether browsers are told to come to this host by https only. Left out: to none. */
  isStrict?: ((host: string) => boolean) | undefined;
  /** Whether a request for this host came by a connection of https that is another's. Left out: there is no https. */
  isMisdirected?: ((socket: Socket, host: string) => boolean) | undefined;
  answers: AppAnswers;
  blobs: BlobLibrary;
  /** Takes a connection with a request that is not for the front; its bytes are unread again. */
  handOver(socket: Socket, way: Way): void;
  /** Who is at the other end. */
  describeClient(socket: Socket, head: RequestHead, isSecure: boolean): ClientDescription;
  /** Answers what is no request, and ends the connection. */
  refuse(socket: Socket, error: EdgeError): void;
  /** What browsers are told where they are to come by https only: a line ended by CRLF. */
  strictLine?: string | undefined;
  log: Log;
}

const KEEP_LINES = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_SECONDS}\r\n\r\n`;
const CLOSE_LINES = 'Connection: close\r\n\r\n';
const TICK_MS = 1000;
const MAX_KNOWN_HOSTS = 10_000;
const MAX_HOST_LENGTH = 260;

/**
 * What stands first on the public port. It answers requests for applications itself, on the bare
 * socket, since most requests are such; a connection that brings anything else goes to the HTTP server.
 */
export class Front {
  readonly options: FrontOptions;
  readonly #connections = new Set<HeldConnection>();
  readonly #room: Room;
  readonly #buffers = new ReadBuffers();
  readonly #timer: NodeJS.Timeout;
  /** By Host headers as they were written: whose they are does not change. */
  readonly #apps = new Map<string, string | null>();
  /** Milliseconds, as of the last tick: exact enough for time limits. */
  now = Date.now();
  isStopping = false;
  /** By whether the connection stays open, and whether the host is strict. */
  #tails: Tails = { keep: '', close: '', strictKeep: '', strictClose: '' };
  readonly #tailsWithoutDate: Tails;

  constructor(options: FrontOptions) {
    this.options = options;
    this.#room = new Room(options, this.#connections);
    this.#tailsWithoutDate = tailsWith('', options.strictLine);
    this.#tick();
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  take(socket: Socket, way: Way = 'http'): void {
    const connection = new FrontConnection(this, socket, way);
    this.hold(connection);
    if (way !== 'inside' && !hasAddress(connection.socket)) connection.destroy();
  }

  hold(connection: HeldConnection): void {
    this.#connections.add(connection);
    this.#room.onTaken();
  }

  /** The connection is closed, or another's. */
  forget(connection: HeldConnection): void {
    this.#connections.delete(connection);
  }

  /** Null: this is for the HTTP server. For instances everything is ours; of files, only plain questions. */
  plan(head: RequestHead, way: Way): AppAnswer | null {
    const isPlain = isSimple(head);
    if (!isPlain && !settleTarget(head)) return null;
    const app = this.#appOf(head.host);
    if (app === null || (way === 'http' && this.#isForHttps(app, head))) return null;
    if (isChallengePath(head.target)) return null;
    const answer = this.options.answers(app, head);
    return answer === null || isPlain || 'take' in answer ? answer : null;
  }

  describeClient(socket: Socket, head: RequestHead, way: Way): ClientDescription {
    if (way !== 'inside') return this.options.describeClient(socket, head, way === 'https');
    const protocol = protocolOf(head.forwardedProto) ?? 'http';
    return { address: head.forwardedFor, protocol, isFixed: false };
  }

  /** The last lines of a head, for a connection that stays open and for one that does not. */
  tailOf(isKept: boolean, hasDate: boolean, isStrict: boolean): string {
    const tails = hasDate ? this.#tailsWithoutDate : this.#tails;
    if (isStrict) return isKept ? tails.strictKeep : tails.strictClose;
    return isKept ? tails.keep : tails.close;
  }

  /** A proxy that says it was asked by https is believed, whoever it is: nobody but its clients would go in circles. */
  #isForHttps(app: string, { forwardedProto, probe }: RequestHead): boolean {
    const { isForHttps } = this.options;
    return isForHttps !== undefined && probe === '' && isForHttps(app) && protocolOf(forwardedProto) !== 'https';
  }

  #appOf(host: string): string | null {
    const known = this.#apps.get(host);
    if (known !== undefined) return known;
    const app = this.options.appOf(host);
    if (this.#apps.size >= MAX_KNOWN_HOSTS) this.#apps.clear();
    if (host.length <= MAX_HOST_LENGTH) this.#apps.set(host, app);
    return app;
  }

  /** Writes the answer now and returns how many bytes it has; 0: it takes a file that is not in memory. */
  writeNow(socket: Socket, answer: StaticAnswer, tail: string): number {
    const { body, head } = answer;
    const headLength = head.length + tail.length;
    if (body === null) {
      socket.write(head + tail, 'latin1');
      return headLength;
    }
    if (Buffer.isBuffer(body)) {
      socket.write(Buffer.concat([Buffer.from(head + tail, 'latin1'), body]));
      return headLength + body.length;
    }
    const blob = body.size <= SMALL_BLOB_BYTES ? this.options.blobs.peek(body.hash) : undefined;
    if (blob === undefined) return 0;
    const bytes = readyBytes(blob, answer, tail);
    socket.write(bytes);
    return bytes.length;
  }

  /** Fails when the file cannot be read to its end. */
  async writeFromDisk(socket: Socket, connection: FrontConnection, { answer, tail, visit }: Pending): Promise<void> {
    const slice = answer.body as BlobSlice;
    const { blobs } = this.options;
    try {
      if (slice.size <= SMALL_BLOB_BYTES) {
        const blob = await blobs.load(slice.hash, slice.size);
        visit.answer(answer.status);
        socket.write(readyBytes(blob, answer, tail));
      } else {
        const onBegin = () => visit.answer(answer.status);
        const onProgress = () => {
          visit.countBytes();
          connection.noteProgress();
        };
        const open = () => blobs.open(slice.hash, slice.size);
        await sendBlob({ socket, open, slice, head: answer.head + tail, buffers: this.#buffers, onBegin, onProgress });
      }
    } catch (error) {
      if (!socket.destroyed) this.#giveUp(socket, visit, { error, tail });
    }
    visit.end();
  }

  #giveUp(socket: Socket, visit: StaticVisit, { error, tail }: { error: unknown; tail: string }): void {
    logUnreadable(this.options.log, { err: error }, 'A file of a release cannot be read');
    // Half an answer must not be taken for a whole one.
    if (visit.hasBytes) return void socket.destroy();
    const answer = errorAnswer(unavailable, '');
    visit.answer(answer.status);
    this.writeNow(socket, answer, tail);
  }

  /** Connections on which nothing is under way. */
  closeIdle(): void {
    for (const connection of this.#connections) if (connection.isIdle) connection.close();
  }

  /** An address leads elsewhere than before, or nowhere: nobody goes on by it. */
  endStrays(isStray: IsStray): void {
    for (const connection of this.#connections) connection.endStrays(isStray);
  }

  closeAll(): void {
    clearInterval(this.#timer);
    for (const connection of this.#connections) connection.destroy();
  }

  stop(): void {
    this.isStopping = true;
    for (const connection of this.#connections) connection.onStop();
  }

  #tick(): void {
    const date = new Date();
    const elapsedMs = date.getTime() - this.now;
    this.now += elapsedMs;
    this.#tails = tailsWith(`Date: ${date.toUTCString()}\r\n`, this.options.strictLine);
    for (const connection of this.#connections) connection.onTick(this.now, elapsedMs);
    void this.#room.make();
  }
}

export interface Pending {
  answer: StaticAnswer;
  tail: string;
  visit: StaticVisit;
}

type Tails = Record<'keep' | 'close' | 'strictKeep' | 'strictClose', string>;

/** What an application says of https itself comes first, and only the first counts (RFC 6797, 8.1). */
function tailsWith(dateLine: string, strictLine = ''): Tails {
  const [keep, close] = [dateLine + KEEP_LINES, dateLine + CLOSE_LINES];
  return { keep, close, strictKeep: strictLine + keep, strictClose: strictLine + close };
}
