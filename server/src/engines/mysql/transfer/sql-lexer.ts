import { newlinesIn } from '../../script-text.ts';

/**
 * Finds where statements end in a script as MariaDB's client reads it. It looks at bytes, since all that matters is
 * ASCII, and works on as much as there is: whoever holds the text calls again with more of it.
 */
export interface SqlLexer {
  /** Goes on at `from` in `bytes`, which begin where the statement does; `isLast`: nothing follows. */
  advance(bytes: Buffer, from: number, isLast: boolean): { at: number; found: Found };
  /** The statement so far. */
  readonly statement: Readonly<StatementSoFar>;
  /** What the text has been inside of when it ended; null where it may end. */
  openThing(): string | null;
  /** After a statement, or a command. */
  reset(): void;
  /** What ends a statement. */
  delimiter: Buffer;
  /** Where it is. */
  readonly line: number;
}

/** At what it stopped: before a delimiter, before a command to the client itself, or where only more of the text can tell. */
export type Found = 'statement' | 'command' | 'nothing yet';

export interface StatementSoFar {
  /** Whether there is anything but space and comments, and where that begins. */
  hasBegun: boolean;
  start: number;
  line: number;
  /** Its first words, in lower case: those outside of quotes and brackets. */
  words: string[];
  /** How many brackets there are after VALUES: a row each. */
  rows: number;
}

/** As `sql_mode` has it. */
export interface LexerMode {
  /** Whether backslashes mean something in quotes. */
  backslashes: boolean;
  /** Whether double quotes are for names. */
  ansiQuotes: boolean;
}

type Inside = 'plain' | 'text' | 'double quotes' | 'backticks' | 'line comment' | 'comment';

const IN_WORDS: Record<Inside, string | null> = {
  plain: null,
  text: 'a quoted text',
  'double quotes': 'a quoted text',
  backticks: 'a quoted name',
  'line comment': null,
  comment: 'a comment',
};

/** Words that the client keeps to itself when a statement would begin with them. */
const COMMANDS = new Set(
  (
    'delimiter source system tee notee pager nopager edit connect exit quit charset prompt print rehash ego go clear ' +
    'status sandbox'
  ).split(' '),
);

/** What stops the walk where only more of the text can tell. */
const NEEDS_MORE = -1;
/** What stops it at a command. */
const COMMAND = -2;
const MOST_WORDS = 40;

export function createSqlLexer(mode: LexerMode): SqlLexer {
  let inside: Inside = 'plain';
  /** Within a comment whose content is for some versions: `/*!50001 CREATE`. */
  let isConditional = false;
  let line = 1;
  let current = 0;
  let brackets = 0;
  let countsRows = false;
  let delimiter: Buffer = Buffer.from(';');
  let statement = empty(1);
  /** How far a word was looked at that had not ended yet: what comes in pieces is not read from its beginning each time. */
  let lookedTo = 0;

  function token(): void {
    if (statement.hasBegun) return;
    statement.hasBegun = true;
    statement.line = line;
    statement.start = current;
  }

  /** The following go on at a byte, and give where they stopped. */
  function plain(bytes: Buffer, at: number, isLast: boolean): number {
    const byte = bytes[at] ?? 0;
    if (isSpace(byte)) {
      if (byte === NEWLINE) line++;
      return at + 1;
    }
    if (isWordByte(byte)) return word(bytes, at, isLast);
    if (byte === MINUS || byte === SLASH || byte === STAR) return perhapsComment(bytes, at, isLast);
    if (byte === HASH) {
      inside = 'line comment';
      return at + 1;
    }
    if (byte === BACKSLASH && !isConditional) return COMMAND;
    token();
    if (byte === QUOTE) inside = 'text';
    if (byte === DOUBLE_QUOTE) inside = 'double quotes';
    if (byte === BACKTICK) inside = 'backticks';
    if (byte === OPEN && brackets++ === 0 && countsRows) statement.rows++;
    if (byte === CLOSE && brackets > 0) brackets--;
    return at + 1;
  }

  function perhapsComment(bytes: Buffer, at: number, isLast: boolean): number {
    const [byte, next, third, fourth] = bytes.subarray(at, at + 4);
    if (at + 4 > bytes.length && !isLast) return NEEDS_MORE;
    if (byte === MINUS && next === MINUS && (third === undefined || third <= SPACE)) {
      inside = 'line comment';
      return at + 2;
    }
    if (byte === SLASH && next === STAR) {
      const markBytes = third === EXCLAMATION ? 3 : third === LARGE_M && fourth === EXCLAMATION ? 4 : 0;
      if (markBytes === 0 || isConditional) {
        inside = 'comment';
        return at + 2;
      }
      const content = afterDigits(bytes, Math.max(at + markBytes, lookedTo));
      if (content === bytes.length && !isLast) {
        lookedTo = content;
        return NEEDS_MORE;
      }
      token();
      isConditional = true;
      return content;
    }
    if (byte === STAR && next === SLASH && isConditional) {
      isConditional = false;
      return at + 2;
    }
    token();
    return at + 1;
  }

  function word(bytes: Buffer, from: number, isLast: boolean): number {
    let at = Math.max(from + 1, lookedTo);
    while (isWordByte(bytes[at] ?? 0) && !isDelimiter(bytes, at)) at++;
    if (at + delimiter.length > bytes.length && !isLast) {
      // The beginning of a delimiter may be there already.
      lookedTo = Math.min(at, bytes.length - delimiter.length + 1);
      return NEEDS_MORE;
    }
    const isFirst = !statement.hasBegun;
    const text = brackets > 0 || isDigit(bytes[from] ?? 0) ? '' : bytes.toString('latin1', from, at).toLowerCase();
    if (isFirst && COMMANDS.has(text)) return COMMAND;
    token();
    if (text === '') return at;
    const { words } = statement;
    if (words.length < MOST_WORDS) words.push(text);
    if ((text === 'values' || text === 'value') && (words[0] === 'insert' || words[0] === 'replace')) countsRows = true;
    return at;
  }

  /** Up to the quote that closes it; a doubled one does not. */
  function quoted(bytes: Buffer, from: number, isLast: boolean): number {
    const [closing, backslashes] = closingOf(inside);
    const end = bytes.length;
    for (let at = from; at < end; at++) {
      const byte = bytes[at];
      if (byte === NEWLINE) line++;
      const isBackslash = byte === BACKSLASH && backslashes;
      if (byte !== closing && !isBackslash) continue;
      if (at + 1 === end && !isLast) return at > from ? at : NEEDS_MORE;
      if (byte === closing && bytes[at + 1] !== closing) {
        inside = 'plain';
        return at + 1;
      }
      at++;
      if (bytes[at] === NEWLINE) line++;
    }
    return end;
  }

  function closingOf(quotes: Inside): [closing: number, backslashes: boolean] {
    if (quotes === 'text') return [QUOTE, mode.backslashes];
    if (quotes === 'double quotes') return [DOUBLE_QUOTE, mode.backslashes && !mode.ansiQuotes];
    return [BACKTICK, false];
  }

  /** Up to the end of the line, which is none of the comment's. */
  function lineComment(bytes: Buffer, from: number): number {
    const found = bytes.indexOf(NEWLINE, from);
    if (found === -1) return bytes.length;
    inside = 'plain';
    return found;
  }

  function comment(bytes: Buffer, from: number): number {
    const found = bytes.indexOf(COMMENT_END, from);
    if (found !== -1) inside = 'plain';
    const at = found === -1 ? Math.max(from, bytes.length - 1) : found + COMMENT_END.length;
    line += newlinesIn(bytes.subarray(from, at));
    return at > from ? at : NEEDS_MORE;
  }

  function step(bytes: Buffer, at: number, isLast: boolean): number {
    if (inside === 'plain') return plain(bytes, at, isLast);
    if (inside === 'line comment') return lineComment(bytes, at);
    return inside === 'comment' ? comment(bytes, at) : quoted(bytes, at, isLast);
  }

  function isDelimiter(bytes: Buffer, at: number): boolean {
    if (bytes[at] !== delimiter[0]) return false;
    return delimiter.length === 1 || bytes.subarray(at, at + delimiter.length).equals(delimiter);
  }

  /** Whether it may become one with what follows. */
  function mayBeDelimiter(bytes: Buffer, at: number): boolean {
    const left = bytes.length - at;
    return (
      left < delimiter.length && bytes[at] === delimiter[0] && delimiter.subarray(0, left).equals(bytes.subarray(at))
    );
  }

  return {
    get statement() {
      return statement;
    },
    get line() {
      return line;
    },
    get delimiter() {
      return delimiter;
    },
    set delimiter(value) {
      delimiter = value;
    },
    openThing: () => IN_WORDS[inside] ?? (isConditional ? 'a comment' : null),
    reset() {
      inside = 'plain';
      [isConditional, countsRows, brackets, lookedTo] = [false, false, 0, 0];
      statement = empty(line);
    },
    advance(bytes, from, isLast) {
      for (current = from; current < bytes.length;) {
        if (inside === 'plain' && !isConditional) {
          if (isDelimiter(bytes, current)) return { at: current, found: 'statement' };
          if (!isLast && mayBeDelimiter(bytes, current)) break;
        }
        const next = step(bytes, current, isLast);
        if (next === NEEDS_MORE) break;
        lookedTo = 0;
        if (next === COMMAND) return { at: current, found: 'command' };
        current = next;
      }
      return { at: current, found: 'nothing yet' };
    },
  };
}

/** Where the number of a version ends. */
function afterDigits(bytes: Buffer, from: number): number {
  let at = from;
  while (isDigit(bytes[at] ?? 0)) at++;
  return at;
}

const empty = (line: number): StatementSoFar => ({ hasBegun: false, start: 0, line, words: [], rows: 0 });

const [NEWLINE, SPACE, EXCLAMATION, DOUBLE_QUOTE, HASH, QUOTE, OPEN, CLOSE] = [10, 32, 33, 34, 35, 39, 40, 41];
const [STAR, MINUS, SLASH, LARGE_M, BACKSLASH, BACKTICK] = [42, 45, 47, 77, 92, 96];
const COMMENT_END = Buffer.from('*/');

const isSpace = (byte: number): boolean => byte === SPACE || (byte >= 9 && byte <= 13);
const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;
const isWordByte = (byte: number): boolean =>
  (byte >= 97 && byte <= 122) ||
  (byte >= 65 && byte <= 90) ||
  isDigit(byte) ||
  byte === 95 ||
  byte === 36 ||
  byte >= 128;
