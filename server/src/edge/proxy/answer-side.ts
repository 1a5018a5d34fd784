import type { EdgeError } from '../answer.ts';
import { SILENCE_LIMIT_MS } from '../front/limits.ts';
import type { RequestHead } from '../front/request-head.ts';
import { privateLines } from '../lock/private-lines.ts';
import { errorAnswer } from '../static/static-answer.ts';
import { answerText, informationText, tunnelText } from './answer-text.ts';
import type { ExchangeClient } from './exchange-client.ts';
import { MAX_INFORMATION, STREAM_SILENCE_LIMIT_MS } from './limits.ts';
import type { ResponseHead } from './response-head.ts';
import type { Stay } from './stay.ts';
import { whenWritten, writeBytes } from './write-bytes.ts';

/** An answer on its way to the client. It is used again for every answer of a client's connection. */
export class AnswerSide {
  /** The client was told to send the body. */
  #hasContinued = false;
  readonly #client: ExchangeClient;
  readonly #stay: Stay;
  #expectsContinue = false;
  #method = '';
  #isHttp10 = false;
  #informationCount = 0;
  /** The head, which goes out with the first bytes of the body. */
  #unsent = '';
  /** Its end was that of the connection; to the client, chunks say where it is. */
  #isRechunked = false;
  #isUnderWay = false;

  constructor(client: ExchangeClient, stay: Stay) {
    this.#client = client;
    this.#stay = stay;
  }

  await({ method, expectsContinue, isHttp10 }: RequestHead): void {
    this.#method = method;
    this.#hasContinued = false;
    this.#expectsContinue = expectsContinue;
    this.#isHttp10 = isHttp10;
    this.#informationCount = 0;
  }

  /** Whether a client that waits for a word still sends the body is not to be known. */
  mayBeKept({ isKeptAlive, expectsContinue }: RequestHead, isRequestWhole: boolean): boolean {
    return isKeptAlive && (isRequestWhole || !expectsContinue || this.#hasContinued);
  }

  /** A word in between. False: an endless row of them is no answer. */
  inform(head: ResponseHead): boolean {
    const isAsked = head.status === 100 && this.#expectsContinue && !this.#hasContinued;
    if (isAsked) this.#hasContinued = true;
    const isForClient = isAsked || (head.status === 103 && !this.#isHttp10);
    if (isForClient) this.#client.socket.write(informationText(head), 'latin1');
    return ++this.#informationCount <= MAX_INFORMATION;
  }

  /** Returns whether the connection is kept: HTTP/1.0 knows no chunks, so there its end may be the answer's. */
  begin(head: ResponseHead, isPrivate: boolean, mayBeKept: boolean): boolean {
    const framing = head.framingFor(this.#method);
    const isOpenEnded = framing === 'until-close' || framing === 'chunked';
    const isChunked = isOpenEnded && !this.#isHttp10;
    const isKept = mayBeKept && isChunked === isOpenEnded;
    this.#isUnderWay = true;
    this.#isRechunked = isChunked && framing === 'until-close';
    const text = answerText(head, isChunked);
    this.#unsent = (isPrivate ? privateLines(text) : text) + this.#client.endOfHead(isKept, head.hasDate);
    this.#stay.bytesOut = this.#unsent.length;
    this.#client.limit(STREAM_SILENCE_LIMIT_MS);
    return isKept;
  }

  /** What the edge says in place of the instance. Returns whether the connection is kept. */
  giveOwn(error: EdgeError, request: RequestHead, isRequestWhole: boolean): boolean {
    const answer = errorAnswer(error, request.accept);
    const isKept = this.mayBeKept(request, isRequestWhole);
    this.#stay.answer(answer.status);
    const given = this.#method === 'HEAD' ? { ...answer, body: null } : answer;
    this.#stay.countOwnBytes(this.#client.write(given, isKept));
    return isKept;
  }

  beginTunnel(head: ResponseHead, upgrade: string): void {
    const text = tunnelText(head, upgrade);
    this.#client.socket.write(text, 'latin1');
    this.#stay.bytesOut = text.length;
  }

  /** False: the client has not taken everything yet. */
  write(bytes: Buffer): boolean {
    const { socket } = this.#client;
    if (this.#isRechunked) this.#writeChunk(bytes);
    else writeBytes(socket, this.#unsent, bytes);
    this.#unsent = '';
    this.#stay.bytesOut += bytes.length;
    this.#client.limit(STREAM_SILENCE_LIMIT_MS);
    return socket.writableLength === 0;
  }

  whenOut(callback: () => void): void {
    // Until then, it is the client that has to move.
    this.#client.limit(SILENCE_LIMIT_MS);
    whenWritten(this.#client.socket, () => {
      if (this.#isUnderWay) this.#client.limit(STREAM_SILENCE_LIMIT_MS);
      callback();
    });
  }

  flush(): void {
    if (this.#unsent !== '') this.#client.socket.write(this.#unsent, 'latin1');
    this.#unsent = '';
  }

  end(): void {
    this.#isUnderWay = false;
    if (this.#isRechunked) this.#unsent += '0\r\n\r\n';
    this.flush();
  }

  #writeChunk(bytes: Buffer): void {
    const { socket } = this.#client;
    socket.cork();
    writeBytes(socket, `${this.#unsent}${bytes.length.toString(16)}\r\n`, bytes);
    socket.write('\r\n', 'latin1');
    socket.uncork();
  }
}
