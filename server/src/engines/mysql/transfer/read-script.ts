import { endOfLine, readScriptText, type ScriptText } from '../../script-text.ts';
import { LoadFailed } from '../../transfer.ts';
import { createSqlLexer, type LexerMode, type SqlLexer } from './sql-lexer.ts';

/** What a script for MariaDB's client is made of. Texts hold a byte in each character, whatever it means. */
export type ScriptPart = ScriptStatement | ScriptCommand;

export interface ScriptStatement {
  kind: 'statement';
  text: string;
  line: number;
  /** Its first words, in lower case: those outside of quotes and brackets. */
  words: readonly string[];
  /** How many rows an INSERT has. */
  rows: number;
  /** Space and comments before it, and the delimiter after it, as they stand in the script. */
  before: string;
  after: string;
}

/** A command to the client itself: `DELIMITER ;;`, which has been obeyed, or another. */
export interface ScriptCommand {
  kind: 'command';
  text: string;
  line: number;
  before: string;
}

/** The client takes no more; and it is looked for at each letter. */
const MAX_DELIMITER = 15;

/** Reads a script part by part, as it is asked for them: a change of `mode` counts from the next part on. */
export async function* readScript(
  source: AsyncIterable<Buffer>,
  mode: LexerMode,
  longestBytes?: number,
): AsyncGenerator<ScriptPart> {
  const script = readScriptText(source, longestBytes);
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
    yield result.found === 'command'
      ? await readCommand(script, lexer, at)
      : takeStatement(script, lexer, at, lexer.delimiter.length);
    at = 0;
  }
  const open = lexer.openThing();
  if (open) throw new LoadFailed(`Line ${lexer.statement.line}: the file ends within ${open}: it is cut off.`);
  yield takeStatement(script, lexer, script.bytes.length, 0);
}

/** Without a text where there is nothing but space and comments. */
function takeStatement(script: ScriptText, lexer: SqlLexer, end: number, delimiterBytes: number): ScriptStatement {
  const { hasBegun, line, words, rows } = lexer.statement;
  const start = hasBegun ? lexer.statement.start : end;
  const { bytes } = script;
  const part = {
    kind: 'statement' as const,
    text: bytes.toString('latin1', start, end),
    line,
    words,
    rows,
    before: bytes.toString('latin1', 0, start),
    after: bytes.toString('latin1', end, end + delimiterBytes),
  };
  script.drop(end + delimiterBytes);
  lexer.reset();
  return part;
}

async function readCommand(script: ScriptText, lexer: SqlLexer, at: number): Promise<ScriptCommand> {
  const { line } = lexer;
  const end = await endOfLine(script, at, line);
  const before = script.bytes.toString('latin1', 0, at);
  const text = script.bytes.toString('latin1', at, end);
  const delimiter = /^delimiter\s+(\S+)/i.exec(text)?.[1];
  if (delimiter && delimiter.length > MAX_DELIMITER) {
    throw new LoadFailed(
      `Line ${line}: a delimiter can have ${MAX_DELIMITER} characters, as in the mysql client. Write a shorter one.`,
    );
  }
  if (delimiter) lexer.delimiter = Buffer.from(delimiter, 'latin1');
  script.drop(end);
  lexer.reset();
  return { kind: 'command', text, line, before };
}
