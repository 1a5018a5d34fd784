/** What the engines say of more than one statement at a time. */
const SEVERAL = /cannot insert multiple commands into a prepared statement/;
/** PostgreSQL’s, to which the platform adds the line where there are several; and MariaDB’s. */
const SYNTAX =
  /^(?:Line (?<line>\d+): )?syntax error at (?:or near "(?<near>[\s\S]*?)"|end of input)\.?(?<more>[\s\S]*)$/;
const SYNTAX_OF_MARIADB = /error in your SQL syntax;[\s\S]*? near '(?<near>[\s\S]*)' at line (?<line>\d+)/;
const LONGEST_NEAR = 40;

/** What a database says of a statement, for whoever wrote it. The statement tells more, where it is known. */
export function sayDatabase(message: string, statement = ''): string {
  const found = (SYNTAX.exec(message) ?? SYNTAX_OF_MARIADB.exec(message))?.groups;
  if (SEVERAL.test(message) || (found && followsAnother(found['near'], statement))) {
    return 'These are two statements or more. Run them one after the other.';
  }
  if (found) return saySyntax(found);
  const [, line, words] = /^(?:Line (\d+): )?([a-z][\s\S]*)$/.exec(message) ?? [];
  if (words === undefined) return message;
  return `The database says${line ? ` of line ${line}` : ''}: ${words}`;
}

function saySyntax({ near, line, more }: Record<string, string | undefined>): string {
  const where = line ? ` in line ${line}` : '';
  if (!near) return `The statement is not finished: its end is missing${where}. Complete it, then run it again.`;
  const shown = near.length > LONGEST_NEAR ? `${near.slice(0, LONGEST_NEAR)}…` : near;
  return `The database does not understand the statement at “${shown}”${where}. Correct it there or just before, then run it again.${more ?? ''}`;
}

/** MariaDB finds a fault in whatever comes after the first one. */
function followsAnother(near: string | undefined, statement: string): boolean {
  const rest = near?.trim();
  if (!rest) return false;
  return /;\s*$/.test(statement.slice(0, Math.max(statement.lastIndexOf(rest), 0)));
}
