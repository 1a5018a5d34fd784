import type { Readable } from 'node:stream';
import type { Connection } from 'mysql2';
import { MOST_BYTES } from '../explore/limits.ts';
import { StatementRefused } from '../explorer.ts';

/** How often a statement may answer: a procedure does for each query in it, and may go round for ever. */
export const MOST_ANSWERS = 10_000;

/** Of one answer, or parameters of a statement. A table has 4096; a join or a list of values may have any number. */
export const MOST_COLUMNS = 10_000;

/** Its session is of no use any more: the server goes on saying it. */
export class AnswerTooLarge extends StatementRefused {}

export interface AnswerBound {
  /** What the statement answers next begins with these columns, or is no rows. */
  begins(columns: unknown[] | undefined): void;
  row(): void;
  /** It has been answered. */
  ends(): void;
}

interface Inner {
  handlePacket(packet?: unknown): void;
  stream: Readable;
}

const TOO_OFTEN = `It was ended, since it answered more than ${MOST_ANSWERS} times.`;
const TOO_WIDE = `It was ended, since it has more than ${MOST_COLUMNS} columns or parameters.`;
const TOO_LONG = `It was ended, since one row of its answer is larger than ${MOST_BYTES / 1024 ** 2} MiB.`;

/**
 * Bounds what is held of the answers to one statement, which the library does not: it keeps what each of them says of
 * its columns until the statement ends, tells of columns when all of them have come, and of a row when it is whole.
 * Nothing is taken in any more once there is too much of it.
 */
export function boundAnswers(connection: Connection, onTooLarge: (refusal: AnswerTooLarge) => void): AnswerBound {
  const inner = connection as unknown as Inner;
  const library = Object.getPrototypeOf(inner) as Inner;
  const takeIn = (packet: unknown) => library.handlePacket.call(inner, packet);
  let [answers, packets, bytes] = [0, 0, 0];
  let isOver = false;
  let held: unknown[] | undefined;
  const refuse = (words: string) => {
    if (!isOver) onTooLarge(new AnswerTooLarge(words));
    isOver = true;
  };
  const receive = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > MOST_BYTES) refuse(TOO_LONG);
    if (isOver) inner.stream.pause();
  };
  // Beyond the columns: their head, and what ends them and the rows before them.
  const mostPackets = MOST_COLUMNS + 10;
  inner.handlePacket = (packet) => {
    bytes = 0;
    if (++packets > mostPackets) refuse(TOO_WIDE);
    if (!isOver) takeIn(packet);
  };
  inner.stream.on('data', receive);
  return {
    begins(columns) {
      packets = 0;
      // The answer before it is over.
      if (held) held.length = 0;
      held = columns;
      if (++answers > MOST_ANSWERS) refuse(TOO_OFTEN);
    },
    row() {
      packets = 0;
    },
    ends() {
      inner.handlePacket = takeIn;
      inner.stream.off('data', receive);
    },
  };
}
