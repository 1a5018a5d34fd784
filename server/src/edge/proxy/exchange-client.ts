import type { Socket } from 'node:net';
import type { EdgeError } from '../answer.ts';
import type { RequestHead } from '../front/request-head.ts';
import type { StaticAnswer } from '../static/static-answer.ts';

/** The client's side of an exchange. */
export interface ExchangeClient {
  readonly socket: Socket;
  /** The client says nothing more. */
  readonly hasEnded: boolean;
  /** What the instance is told about the client: header lines, each ended by CRLF. */
  forwardedLines(head: RequestHead): string;
  /** The last lines of an answer's head. Not kept: the connection ends after this answer. */
  endOfHead(isKept: boolean, hasDate: boolean): string;
  /** An answer of the edge's own. Returns how many bytes it has. */
  write(answer: StaticAnswer, isKept: boolean): number;
  /** Answers what is no request, and ends the connection. */
  refuse(error: EdgeError): void;
  /** Gives the exchange what has come meanwhile: it takes bytes now. */
  feed(): void;
  /** If nothing happens for this long, the exchange is told. */
  limit(ms: number): void;
  resume(): void;
  /** The answer is written, and the request read to its end. */
  onExchangeOver(): void;
  /** Ends the connection when what was written is out. */
  close(): void;
  /** Ends it at once, so that nobody takes it for the end of an answer. */
  breakOff(): void;
}
