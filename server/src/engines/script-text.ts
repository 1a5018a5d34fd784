import { setImmediate as nextTurn } from 'node:timers/promises';
import { LoadFailed } from './transfer.ts';

/** The text of a script, as far as it has been read and is still needed. */
export interface ScriptText {
  /** What there is; valid until the next call. */
  readonly bytes: Buffer;
  /** Whether nothing follows. */
  readonly isLast: boolean;
  /** Reads on; false where nothing follows. `line` is for the error when one statement is too long. */
  more(line: number): Promise<boolean>;
  /** Gives up the first so many bytes. */
  drop(count: number): void;
  /** The next piece as it came, instead of `more`, when nothing is left in `bytes`; null at the end. */
  nextPiece(): Promise<Buffer | null>;
  /** Gives back what was too much of a piece. */
  unread(rest: Buffer): void;
}

/** Statements are held in memory, one at a time. Rows of COPY are not. */
const LONGEST_STATEMENT = 128 * 1024 ** 2;
const USUAL_CAPACITY = 512 * 1024;
/** Whoever else is at work in this process waits no longer than these take. */
const TURN_BYTES = 1024 ** 2;

export class StatementTooLong extends LoadFailed {}

export function readScriptText(source: AsyncIterable<Buffer>, longestBytes = LONGEST_STATEMENT): ScriptText {
  const pieces = source[Symbol.asyncIterator]();
  let space = Buffer.allocUnsafe(USUAL_CAPACITY);
  let [start, end] = [0, 0];
  let view = space.subarray(0, 0);
  let isLast = false;
  let sinceTurn = 0;

  const show = () => {
    view = space.subarray(start, end);
  };

  /** Moves what is needed to the beginning: into a larger space when it has grown, into a usual one when it is over. */
  function makeRoom(needed: number): void {
    const length = end - start;
    const isTight = length + needed > space.length;
    const isWide = space.length > USUAL_CAPACITY * 8 && length + needed < USUAL_CAPACITY;
    const doubled = Math.min(space.length * 2, longestBytes);
    const capacity = Math.max(isTight ? doubled : USUAL_CAPACITY, length + needed);
    const target = isTight || isWide ? Buffer.allocUnsafe(capacity) : space;
    space.copy(target, 0, start, end);
    space = target;
    [start, end] = [0, length];
  }

  function append(piece: Buffer): void {
    if (end + piece.length > space.length) makeRoom(piece.length);
    piece.copy(space, end);
    end += piece.length;
    show();
  }

  async function nextPiece(): Promise<Buffer | null> {
    if (isLast) return null;
    if (sinceTurn > TURN_BYTES) {
      sinceTurn = 0;
      await nextTurn();
    }
    const { value, done } = await pieces.next();
    if (done) isLast = true;
    else sinceTurn += value.length;
    return done ? null : value;
  }

  return {
    get bytes() {
      return view;
    },
    get isLast() {
      return isLast;
    },
    async more(line) {
      const piece = await nextPiece();
      if (!piece) return false;
      if (view.length + piece.length > longestBytes) {
        throw new StatementTooLong(`Line ${line}: a statement is longer than ${longestBytes / 1024 ** 2} MB.`);
      }
      append(piece);
      return true;
    },
    drop(count) {
      start += count;
      // A statement that was large is not held any longer, while the server is at it.
      if (space.length > USUAL_CAPACITY * 8 && end - start < USUAL_CAPACITY) makeRoom(0);
      show();
    },
    nextPiece,
    unread(rest) {
      append(rest);
    },
  };
}

const NEWLINE = 10;

/** One by one: a text may be nothing else, and a list of them larger than it. */
export function newlinesIn(text: Buffer | string): number {
  const next =
    typeof text === 'string'
      ? (from: number) => text.indexOf('\n', from)
      : (from: number) => text.indexOf(NEWLINE, from);
  let count = 0;
  for (let at = next(0); at !== -1; at = next(at + 1)) count++;
  return count;
}

/** Where the line ends that goes on at `from`; reads on as far as it takes. `line` is its number. */
export async function endOfLine(script: ScriptText, from: number, line: number): Promise<number> {
  for (let searched = from; ;) {
    const found = script.bytes.indexOf(NEWLINE, searched);
    if (found !== -1) return found;
    searched = script.bytes.length;
    if (!(await script.more(line))) return searched;
  }
}
