import { endOfLine, newlinesIn, readScriptText, type ScriptText } from '../../script-text.ts';
import { LoadFailed } from '../../transfer.ts';
import { createRowsReader } from './rows-reader.ts';
import { createSqlLexer, type LexerMode, type SqlLexer } from './sql-lexer.ts';

/** What a script for `psql` is made of. */
export type ScriptPart = ScriptStatement | ScriptCommand | ScriptRows;

export interface ScriptStatement {
  kind: 'statement';
  text: string;
  line: number;
  /** Its first words, in lower case: those outside of quotes and brackets. */
  words: readonly string[];
  /** `COPY … FROM stdin`: the parts that follow are its rows, up to the last. */
  takesRows: boolean;
}

/** A command to `psql` itself: `\connect shop`. */
export interface ScriptCommand {
  kind: 'command';
  text: string;
  line: number;
  /** Whether it stands within a statement. */
  isWithin: boolean;
}

export interface ScriptRows {
  kind: 'rows';
  bytes: Buffer;
  isLast: boolean;
}

/** Reads a script part by part, as it is asked for them: a change of `mode` counts from the next part on. */
export async function* readScript(source: AsyncIterable<Buffer>, mode: LexerMode): AsyncGenerator<ScriptPart> {
  const script = readScriptText(source);
  const lexer = createSqlLexer(mode);
  for (let at = 0; ;) {
    const { isLast } = script;
    const result = lexer.advance(script.bytes, at, isLast);
    at = result.at;
    if (result.found === 'nothing yet') {
      if (isLast) break;
      await script.more(lexer.statement.line);
      continue;
    }
    if (result.found === 'backslash') yield await readCommand(script, lexer, at);
    else {
      const statement = takeStatement(script, lexer, at);
      if (statement) yield statement;
      if (statement?.takesRows) yield* readRows(script, lexer);
    }
    at = 0;
  }
  const open = lexer.openThing();
  if (open) throw new LoadFailed(`Line ${lexer.statement.line}: the file ends within ${open}: it is cut off.`);
  const last = takeStatement(script, lexer, script.bytes.length);
  if (last) yield last;
}

/** Null where there is nothing but space and comments. */
function takeStatement(script: ScriptText, lexer: SqlLexer, end: number): ScriptStatement | null {
  const { hasBegun, start, line, words, takesRows } = lexer.statement;
  const text = hasBegun ? textOf(script.bytes.subarray(start, end), line) : '';
  script.drop(end);
  lexer.reset();
  return hasBegun ? { kind: 'statement', text, line, words, takesRows } : null;
}

async function readCommand(script: ScriptText, lexer: SqlLexer, at: number): Promise<ScriptCommand> {
  const { line } = lexer;
  const { hasBegun: isWithin } = lexer.statement;
  const end = await endOfLine(script, at, line);
  const text = script.bytes.toString('utf8', at, end).trim();
  script.drop(end);
  lexer.reset();
  return { kind: 'command', text, line, isWithin };
}

async function* readRows(script: ScriptText, lexer: SqlLexer): AsyncGenerator<ScriptRows> {
  const end = await endOfLine(script, 0, lexer.line);
  if (script.bytes.toString('latin1', 0, end).trim() !== '') {
    throw new LoadFailed(`Line ${lexer.line}: after COPY … FROM stdin; the rows begin on the next line.`);
  }
  // The space that it lies in is used again, while these may still be on their way to the server.
  const first = Buffer.from(script.bytes.subarray(end + 1));
  script.drop(script.bytes.length);
  lexer.line++;
  const reader = createRowsReader();
  for (let piece: Buffer | null = first; ; piece = await script.nextPiece()) {
    const { bytes, rest } = reader.push(piece);
    lexer.line += newlinesIn(bytes);
    if (bytes.length > 0 || rest) yield { kind: 'rows', bytes, isLast: rest !== null };
    if (rest) {
      script.unread(rest);
      lexer.line++;
      return;
    }
    if (!piece) throw new LoadFailed(`Line ${lexer.line}: the file ends within the rows of COPY: it is cut off.`);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Buffer, line: number): string {
  if (bytes.includes(0)) throw new LoadFailed(`Line ${line}: the text holds a zero byte: it is no SQL.`);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new LoadFailed(`Line ${line}: the text is not UTF-8. Write it with pg_dump --encoding=UTF8.`);
  }
}
