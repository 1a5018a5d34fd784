import { newlinesIn } from '../../script-text.ts';

/**
 * Finds where statements end in SQL text as PostgreSQL reads it. It looks at bytes, since all that matters is ASCII, and
 * works on as much as there is: whoever holds the text calls again with more of it.
 */
export interface SqlLexer {
  /**
   * Goes on at `from` in `bytes`, which begin where the statement does; `isLast`: nothing follows. Stops after a
   * semicolon that ends a statement, at a backslash outside of everything, or where it cannot tell without more.
   */
  advance(bytes: Buffer, from: number, isLast: boolean): { at: number; found: Found };
  /** The statement so far. */
  readonly statement: Readonly<StatementSoFar>;
  /** What the text has been inside of when it ended; null where it may end. */
  openThing(): string | null;
  /** After a statement, or a command. */
  reset(): void;
  /** Where it is. */
  line: number;
}

export type Found = 'statement' | 'backslash' | 'nothing yet';

export interface StatementSoFar {
  /** Whether there is anything but space and comments, and where that begins. */
  hasBegun: boolean;
  start: number;
  line: number;
  /** Its first words, in lower case: those outside of quotes and brackets. */
  words: string[];
  /** `COPY … FROM stdin`: its rows follow in the text. */
  takesRows: boolean;
}

export interface LexerMode {
  /** Whether backslashes mean something in ordinary quotes too: a setting of old. */
  backslashes: boolean;
}

type Inside =
  | { kind: 'plain' }
  | { kind: 'quote'; backslashes: boolean }
  | { kind: 'name' }
  | { kind: 'dollar quote'; closing: Buffer }
  | { kind: 'line comment' }
  | { kind: 'comment'; depth: number };

const PLAIN: Inside = { kind: 'plain' };

const IN_WORDS: Record<Inside['kind'], string | null> = {
  plain: null,
  quote: 'a quoted text',
  name: 'a quoted name',
  'dollar quote': 'a text between dollar signs',
  'line comment': null,
  comment: 'a comment',
};

/** What stops the walk where only more of the text can tell. */
const NEEDS_MORE = -1;
const MOST_WORDS = 40;

export function createSqlLexer(mode: LexerMode): SqlLexer {
  let inside: Inside = PLAIN;
  let line = 1;
  let current = 0;
  let brackets = 0;
  /** `BEGIN ATOMIC … END` of a function, with what is in it. */
  let blocks = 0;
  let previousWord = '';
  /** After E'…' a quote on another line goes on with the same text. */
  let continues: 'no' | 'on another line' | 'yes' = 'no';
  let statement: StatementSoFar = { hasBegun: false, start: 0, line: 1, words: [], takesRows: false };

  /** How far a word was looked at that had not ended yet: what comes in pieces is not read from its beginning each time. */
  let lookedTo = 0;

  function token(): void {
    continues = 'no';
    previousWord = '';
    if (statement.hasBegun) return;
    statement.hasBegun = true;
    statement.line = line;
    statement.start = current;
  }

  function word(text: string): void {
    const before = previousWord;
    token();
    if (brackets > 0) return;
    previousWord = text;
    const { words } = statement;
    if (words.length < MOST_WORDS) words.push(text);
    if (text === 'stdin' && before === 'from' && words[0] === 'copy') statement.takesRows = true;
    if (words[0] !== 'create' || !isRoutine(words)) return;
    if (text === 'begin' || (text === 'case' && blocks > 0)) blocks++;
    if (text === 'end' && blocks > 0) blocks--;
  }

  /** The following go on at a byte, and give where they stopped. */
  function plain(bytes: Buffer, at: number, isLast: boolean): number {
    const byte = bytes[at] ?? 0;
    if (isSpace(byte)) {
      if (byte === NEWLINE) {
        line++;
        if (continues === 'on another line') continues = 'yes';
      }
      return at + 1;
    }
    if (isLetter(byte) || isDigit(byte)) return wordOrNumber(bytes, at, isLast);
    if (byte === DOLLAR) return dollar(bytes, at, isLast);
    if (byte === MINUS || byte === SLASH) return minusOrSlash(bytes, at, isLast);
    if (byte === QUOTE) inside = { kind: 'quote', backslashes: mode.backslashes || continues === 'yes' };
    if (byte === DOUBLE_QUOTE) inside = { kind: 'name' };
    token();
    if (byte === OPEN) brackets++;
    if (byte === CLOSE && brackets > 0) brackets--;
    return at + 1;
  }

  function minusOrSlash(bytes: Buffer, at: number, isLast: boolean): number {
    if (at + 1 === bytes.length && !isLast) return NEEDS_MORE;
    if (bytes[at] === MINUS && bytes[at + 1] === MINUS) inside = { kind: 'line comment' };
    else if (bytes[at] === SLASH && bytes[at + 1] === STAR) inside = { kind: 'comment', depth: 1 };
    else {
      token();
      return at + 1;
    }
    return at + 2;
  }

  function wordOrNumber(bytes: Buffer, from: number, isLast: boolean): number {
    let at = Math.max(from + 1, lookedTo);
    while (isWordByte(bytes[at] ?? 0)) at++;
    if (at === bytes.length && !isLast) {
      lookedTo = at;
      return NEEDS_MORE;
    }
    const first = bytes[from] ?? 0;
    if (isDigit(first)) {
      token();
      return at;
    }
    if (at === from + 1 && (first === SMALL_E || first === LARGE_E) && bytes[at] === QUOTE) {
      token();
      inside = { kind: 'quote', backslashes: true };
      return at + 1;
    }
    word(brackets > 0 ? '' : bytes.toString('latin1', from, at).toLowerCase());
    return at;
  }

  function dollar(bytes: Buffer, from: number, isLast: boolean): number {
    let at = Math.max(from + 1, lookedTo);
    while (bytes[at] !== DOLLAR && isWordByte(bytes[at] ?? 0)) at++;
    if (at === bytes.length && !isLast) {
      lookedTo = at;
      return NEEDS_MORE;
    }
    token();
    const isParameter = bytes[at] !== DOLLAR || isDigit(bytes[from + 1] ?? 0);
    if (isParameter) return from + 1;
    inside = { kind: 'dollar quote', closing: Buffer.from(bytes.subarray(from, at + 1)) };
    return at + 1;
  }

  function quote(bytes: Buffer, from: number, isLast: boolean, backslashes: boolean): number {
    const end = bytes.length;
    for (let at = from; at < end; at++) {
      const byte = bytes[at];
      if (byte === NEWLINE) line++;
      const isBackslash = byte === BACKSLASH && backslashes;
      if (byte !== QUOTE && !isBackslash) continue;
      if (at + 1 === end && !isLast) return at > from ? at : NEEDS_MORE;
      if (byte === QUOTE && bytes[at + 1] !== QUOTE) {
        inside = PLAIN;
        continues = backslashes ? 'on another line' : 'no';
        return at + 1;
      }
      at++;
      if (bytes[at] === NEWLINE) line++;
    }
    return end;
  }

  function upTo(bytes: Buffer, from: number, closing: Buffer): number {
    const found = bytes.indexOf(closing, from);
    if (found !== -1) inside = PLAIN;
    // The beginning of what closes it may be there already.
    const at = found === -1 ? Math.max(from, bytes.length - closing.length + 1) : found + closing.length;
    line += newlinesIn(bytes.subarray(from, at));
    return at > from ? at : NEEDS_MORE;
  }

  /** Up to the end of the line, which is none of the comment's. */
  function lineComment(bytes: Buffer, from: number): number {
    const found = bytes.indexOf(NEWLINE, from);
    if (found === -1) return bytes.length;
    inside = PLAIN;
    return found;
  }

  function comment(bytes: Buffer, from: number, depth: number): number {
    const last = bytes.length - 1;
    for (let at = from; at < last; at++) {
      const [byte, next] = [bytes[at], bytes[at + 1]];
      const isOpening = byte === SLASH && next === STAR;
      if (isOpening || (byte === STAR && next === SLASH)) {
        const left = depth + (isOpening ? 1 : -1);
        inside = left === 0 ? PLAIN : { kind: 'comment', depth: left };
        return at + 2;
      }
      if (byte === NEWLINE) line++;
    }
    return last > from ? last : NEEDS_MORE;
  }

  function step(bytes: Buffer, at: number, isLast: boolean): number {
    if (inside.kind === 'plain') return plain(bytes, at, isLast);
    if (inside.kind === 'quote') return quote(bytes, at, isLast, inside.backslashes);
    if (inside.kind === 'name') return upTo(bytes, at, NAME_END);
    if (inside.kind === 'line comment') return lineComment(bytes, at);
    if (inside.kind === 'dollar quote') return upTo(bytes, at, inside.closing);
    return comment(bytes, at, inside.depth);
  }

  return {
    get statement() {
      return statement;
    },
    get line() {
      return line;
    },
    set line(value) {
      line = value;
    },
    openThing: () => IN_WORDS[inside.kind] ?? (brackets > 0 || blocks > 0 ? 'a statement' : null),
    reset() {
      inside = PLAIN;
      [brackets, blocks, previousWord, continues, lookedTo] = [0, 0, '', 'no', 0];
      statement = { hasBegun: false, start: 0, line, words: [], takesRows: false };
    },
    advance(bytes, from, isLast) {
      for (current = from; current < bytes.length;) {
        if (inside.kind === 'plain') {
          const byte = bytes[current];
          if (byte === BACKSLASH) return { at: current, found: 'backslash' };
          if (byte === SEMICOLON && brackets === 0 && blocks === 0) return { at: current + 1, found: 'statement' };
        }
        const next = step(bytes, current, isLast);
        if (next === NEEDS_MORE) break;
        lookedTo = 0;
        current = next;
      }
      return { at: current, found: 'nothing yet' };
    },
  };
}

/** Of a statement that begins with `create`. */
function isRoutine(words: readonly string[]): boolean {
  const kind = words[1] === 'or' && words[2] === 'replace' ? words[3] : words[1];
  return kind === 'function' || kind === 'procedure';
}

const [NEWLINE, QUOTE, DOUBLE_QUOTE, DOLLAR, BACKSLASH] = [10, 39, 34, 36, 92];
const [MINUS, SLASH, STAR, SEMICOLON, OPEN, CLOSE, SMALL_E, LARGE_E] = [45, 47, 42, 59, 40, 41, 101, 69];
const NAME_END = Buffer.from('"');

const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13);
const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;
const isLetter = (byte: number): boolean =>
  (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || byte === 95 || byte >= 128;
const isWordByte = (byte: number): boolean => isLetter(byte) || isDigit(byte) || byte === DOLLAR;
