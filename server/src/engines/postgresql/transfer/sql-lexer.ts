import { newlinesIn } from '../../script-text.ts';

/**
 * Finds where statements end in SQL text as PostgreSQL reads it. It looks at bytes, since all that matters is ASCII, and
 * works on as much as there is: whoever holds the text calls again with more of it.
 */
export interface SqlLexer {
  /**
   * Goes on at `from`. `end` is how much there is, `isLast` that nothing follows. Stops after a semicolon that ends a
   * statement, at a backslash outside of everything, or where it cannot tell without more.
   */
  advance(bytes: Buffer, from: number, end: number, isLast: boolean): { at: number; found: Found };
  /** The statement so far. */
  readonly statement: StatementSoFar;
  /** What the text has been inside of when it ended; null where it may end. */
  openThing(): string | null;
  /** After a statement, or a command. */
  reset(): void;
  /** The number of the line that `at` is in. */
  line: number;
}

export type Found = 'statement' | 'backslash' | 'nothing yet';

export interface StatementSoFar {
  /** Whether there is anything but space and comments. */
  hasBegun: boolean;
  line: number;
  /** Its first words, in lower case: those outside of quotes and brackets. */
  words: readonly string[];
  /** `COPY … FROM stdin`: its rows follow in the text. */
  takesRows: boolean;
}

export interface LexerMode {
  /** Whether backslashes mean something in ordinary quotes too: a setting of old. */
  backslashes: boolean;
}

const [NEWLINE, QUOTE, DOUBLE_QUOTE, DOLLAR, BACKSLASH] = [10, 39, 34, 36, 92];
const [MINUS, SLASH, STAR, SEMICOLON, OPEN, CLOSE] = [45, 47, 42, 59, 40, 41];

const MOST_WORDS = 40;

const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);
const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;
const isLetter = (byte: number): boolean =>
  (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || byte === 95 || byte >= 128;
const isWordByte = (byte: number): boolean => isLetter(byte) || isDigit(byte) || byte === DOLLAR;

type Inside =
  | { kind: 'plain' }
  | { kind: 'quote'; backslashes: boolean }
  | { kind: 'name' }
  | { kind: 'dollar quote'; closing: Buffer }
  | { kind: 'line comment' }
  | { kind: 'comment'; depth: number };

const PLAIN: Inside = { kind: 'plain' };

const NAMES: Record<Inside['kind'], string | null> = {
  plain: null,
  quote: 'a quoted text',
  name: 'a quoted name',
  'dollar quote': 'a text in dollar signs',
  'line comment': null,
  comment: 'a comment',
};

export function createSqlLexer(mode: LexerMode): SqlLexer {
  let inside: Inside = PLAIN;
  let line = 1;
  let brackets = 0;
  /** `BEGIN ATOMIC … END` of a function, and what is in it. */
  let blocks = 0;
  let previousWord = '';
  /** After E'…' a quote on another line goes on with the same text. */
  let mayContinue: 'no' | 'on another line' | 'yes' = 'no';
  const statement = { hasBegun: false, line: 1, words: [] as string[], takesRows: false };

  const token = () => {
    mayContinue = 'no';
    previousWord = '';
    if (statement.hasBegun) return;
    statement.hasBegun = true;
    statement.line = line;
  };

  function readWord(word: string): void {
    const before = previousWord;
    token();
    if (brackets > 0) return;
    previousWord = word;
    if (statement.words.length < MOST_WORDS) statement.words.push(word);
    if (word === 'stdin' && before === 'from' && statement.words[0] === 'copy') statement.takesRows = true;
    if (statement.words[0] !== 'create' || !isRoutine(statement.words)) return;
    if (word === 'begin' || (word === 'case' && blocks > 0)) blocks++;
    if (word === 'end' && blocks > 0) blocks--;
  }

  /** Each gives where it stopped, or -1 where it needs more. */
  function plain(bytes: Buffer, at: number, end: number, isLast: boolean): number {
    const byte = bytes[at] ?? 0;
    const next = at + 1 < end ? bytes[at + 1] : undefined;
    const needsNext = next === undefined && !isLast;
    if (isSpace(byte)) {
      if (byte !== NEWLINE) return at + 1;
      line++;
      if (mayContinue === 'on another line') mayContinue = 'yes';
      return at + 1;
    }
    if (byte === QUOTE) {
      inside = { kind: 'quote', backslashes: mode.backslashes || mayContinue === 'yes' };
      token();
      return at + 1;
    }
    if (byte === DOUBLE_QUOTE) {
      token();
      inside = { kind: 'name' };
      return at + 1;
    }
    if (byte === MINUS || byte === SLASH) {
      if (needsNext) return -1;
      if (byte === MINUS && next === MINUS) inside = { kind: 'line comment' };
      else if (byte === SLASH && next === STAR) inside = { kind: 'comment', depth: 1 };
      else {
        token();
        return at + 1;
      }
      return at + 2;
    }
    if (byte === DOLLAR) return dollar(bytes, at, end, isLast);
    if (isLetter(byte) || isDigit(byte)) return wordOrNumber(bytes, at, end, isLast);
    token();
    if (byte === OPEN) brackets++;
    if (byte === CLOSE && brackets > 0) brackets--;
    return at + 1;
  }

  function wordOrNumber(bytes: Buffer, from: number, end: number, isLast: boolean): number {
    let at = from + 1;
    while (at < end && isWordByte(bytes[at] ?? 0)) at++;
    if (at === end && !isLast) return -1;
    const first = bytes[from] ?? 0;
    if (isDigit(first)) {
      token();
      return at;
    }
    if (at === from + 1 && (first | 32) === 101 && bytes[at] === QUOTE && at < end) {
      token();
      inside = { kind: 'quote', backslashes: true };
      return at + 1;
    }
    readWord(brackets > 0 ? '' : bytes.toString('latin1', from, at).toLowerCase());
    return at;
  }

  function dollar(bytes: Buffer, from: number, end: number, isLast: boolean): number {
    let at = from + 1;
    while (at < end && bytes[at] !== DOLLAR && isWordByte(bytes[at] ?? 0)) at++;
    if (at === end && !isLast) return -1;
    token();
    const isTag = at < end && bytes[at] === DOLLAR && !isDigit(bytes[from + 1] ?? 0);
    if (!isTag) return from + 1;
    inside = { kind: 'dollar quote', closing: Buffer.from(bytes.subarray(from, at + 1)) };
    return at + 1;
  }

  function quote(bytes: Buffer, from: number, end: number, isLast: boolean, backslashes: boolean): number {
    for (let at = from; at < end;) {
      const byte = bytes[at] ?? 0;
      const isLong = at + 1 < end;
      if (byte === NEWLINE) line++;
      if (byte === QUOTE) {
        if (!isLong && !isLast) return stop(at);
        if (bytes[at + 1] !== QUOTE || !isLong) {
          inside = PLAIN;
          mayContinue = backslashes ? 'on another line' : 'no';
          return at + 1;
        }
        at += 2;
      } else if (byte === BACKSLASH && backslashes) {
        if (!isLong) return isLast ? end : stop(at);
        if (bytes[at + 1] === NEWLINE) line++;
        at += 2;
      } else at++;
    }
    return end;

    /** What has been passed need not be looked at again. */
    function stop(at: number): number {
      return at > from ? at : -1;
    }
  }

  function upTo(bytes: Buffer, from: number, end: number, closing: Buffer | number, length: number): number {
    const found = bytes.subarray(from, end).indexOf(closing);
    // The beginning of what closes it may be there already.
    const at = found === -1 ? Math.max(from, end - length + 1) : from + found + length;
    line += newlinesIn(bytes.subarray(from, at));
    if (found !== -1) inside = PLAIN;
    return at > from ? at : -1;
  }

  /** Up to the end of the line, which is none of the comment's. */
  function lineComment(bytes: Buffer, from: number, end: number): number {
    const found = bytes.subarray(from, end).indexOf(NEWLINE);
    if (found === -1) return end;
    inside = PLAIN;
    return from + found;
  }

  function comment(bytes: Buffer, from: number, end: number, depth: number): number {
    for (let at = from; at + 1 < end; at++) {
      const [byte, next] = [bytes[at], bytes[at + 1]];
      const isOpen = byte === SLASH && next === STAR;
      if (isOpen || (byte === STAR && next === SLASH)) {
        const now = depth + (isOpen ? 1 : -1);
        inside = now === 0 ? PLAIN : { kind: 'comment', depth: now };
        return at + 2;
      }
      if (byte === NEWLINE) line++;
    }
    return end - 1 > from ? end - 1 : -1;
  }

  function step(bytes: Buffer, at: number, end: number, isLast: boolean): number {
    if (inside.kind === 'plain') return plain(bytes, at, end, isLast);
    if (inside.kind === 'quote') return quote(bytes, at, end, isLast, inside.backslashes);
    if (inside.kind === 'name') return upTo(bytes, at, end, DOUBLE_QUOTE, 1);
    if (inside.kind === 'line comment') return lineComment(bytes, at, end);
    if (inside.kind === 'dollar quote') return upTo(bytes, at, end, inside.closing, inside.closing.length);
    return comment(bytes, at, end, inside.depth);
  }

  return {
    statement,
    get line() {
      return line;
    },
    set line(value) {
      line = value;
    },
    openThing: () => NAMES[inside.kind] ?? (brackets > 0 || blocks > 0 ? 'a statement' : null),
    reset() {
      inside = PLAIN;
      [brackets, blocks, previousWord, mayContinue] = [0, 0, '', 'no'];
      Object.assign(statement, { hasBegun: false, line, words: [], takesRows: false });
    },
    advance(bytes, from, end, isLast) {
      for (let at = from; at < end;) {
        if (inside.kind === 'plain') {
          const byte = bytes[at];
          if (byte === BACKSLASH) return { at, found: 'backslash' };
          if (byte === SEMICOLON && brackets === 0 && blocks === 0) return { at: at + 1, found: 'statement' };
        }
        const next = step(bytes, at, end, isLast);
        if (next === -1) return { at, found: 'nothing yet' };
        at = next;
      }
      return { at: end, found: 'nothing yet' };
    },
  };
}

/** Of a statement that begins with `create`. */
function isRoutine(words: readonly string[]): boolean {
  const kind = words[1] === 'or' && words[2] === 'replace' ? words[3] : words[1];
  return kind === 'function' || kind === 'procedure';
}
