import { newlinesIn, readScriptText } from '../../script-text.ts';
import { LoadFailed } from '../../transfer.ts';
import { createRowsReader } from './rows-reader.ts';
import { createSqlLexer, type LexerMode, type StatementSoFar } from './sql-lexer.ts';

/** What a script for `psql` is made of. */
export type ScriptPart = ScriptStatement | ScriptCommand | ScriptRows;

export interface ScriptStatement extends Readonly<StatementSoFar> {
  kind: 'statement';
  text: string;
}

/** A command to `psql` itself: `\connect shop`. */
export interface ScriptCommand {
  kind: 'command';
  text: string;
  line: number;
  /** Whether it stands within a statement. */
  isWithin: boolean;
}

/** A part of the rows that follow a statement that takes some; they end with the next part of another kind, or with this. */
export interface ScriptRows {
  kind: 'rows';
  bytes: Buffer;
  isLast: boolean;
}

const NEWLINE = 10;

/**
 * Reads a script part by part, as it is asked for them: a change of `mode` counts from the next part on. Statements are
 * given without what precedes them.
 */
export async function* readScript(source: AsyncIterable<Buffer>, mode: LexerMode): AsyncGenerator<ScriptPart> {
  const script = readScriptText(source);
  const lexer = createSqlLexer(mode);
  const { statement } = lexer;
  let at = 0;

  const forget = (upTo: number) => {
    script.drop(upTo);
    lexer.reset();
    at = 0;
  };

  async function endOfLine(from: number): Promise<number> {
    for (let searched = from; ;) {
      const found = script.bytes.subarray(searched, script.end).indexOf(NEWLINE);
      if (found !== -1) return searched + found;
      searched = script.end;
      if (!(await script.more(lexer.line))) return script.end;
    }
  }

  async function* rows(): AsyncGenerator<ScriptRows> {
    const end = await endOfLine(0);
    const isBlank = script.bytes.toString('latin1', 0, end).trim() === '';
    if (!isBlank) throw new LoadFailed(`Line ${lexer.line}: after COPY … FROM stdin; the rows begin on the next line.`);
    const left = Buffer.from(script.bytes.subarray(Math.min(end + 1, script.end), script.end));
    script.drop(script.end);
    lexer.line++;
    const reader = createRowsReader();
    for (let piece: Buffer | null = left; ; piece = await script.nextPiece()) {
      const { bytes, rest } = reader.push(piece);
      lexer.line += newlinesIn(bytes);
      yield { kind: 'rows', bytes, isLast: rest !== null };
      if (rest) {
        script.restore(rest);
        lexer.line++;
        return;
      }
      if (!piece) throw new LoadFailed(`Line ${lexer.line}: the file ends within the rows of COPY: it is cut off.`);
    }
  }

  for (;;) {
    const result = lexer.advance(script.bytes, at, script.end, script.isLast);
    at = result.at;
    if (result.found === 'statement') {
      if (!statement.hasBegun) {
        forget(at);
        continue;
      }
      const part = { ...statement, kind: 'statement' as const, text: textOf(script.bytes.subarray(0, at), statement) };
      forget(at);
      yield part;
      if (part.takesRows) yield* rows();
    } else if (result.found === 'backslash') {
      const { line } = lexer;
      const { hasBegun: isWithin } = statement;
      const end = await endOfLine(at);
      const text = script.bytes.toString('utf8', at, end).trim();
      forget(end);
      yield { kind: 'command', text, line, isWithin };
    } else if (!(await script.more(statement.line)) && at >= script.end) break;
  }
}
