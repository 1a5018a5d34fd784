import type { ScriptStatement } from './read-script.ts';
import type { LexerMode } from './sql-lexer.ts';

/**
 * How quotes are read after a statement of `mariadb-dump`, which sets for each routine the mode that it was made in, and
 * sets it back to a plain one from a variable.
 */
export function modeAfter({ words, text }: Pick<ScriptStatement, 'words' | 'text'>, mode: LexerMode): LexerMode {
  if (words[0] !== 'set') return mode;
  const [, value, variable] = /\bsql_mode\s*=\s*(?:'([^']*)'|(@))/i.exec(text) ?? [];
  if (value === undefined && variable === undefined) return mode;
  const names = (value ?? '').toUpperCase().split(',');
  return { backslashes: !names.includes('NO_BACKSLASH_ESCAPES'), ansiQuotes: names.includes('ANSI_QUOTES') };
}
