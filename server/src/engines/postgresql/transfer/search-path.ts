import type pg from 'pg';
import type { ScriptStatement } from './read-script.ts';

/**
 * Dumps name everything in full, and say that nothing is to be looked for anywhere. Functions that customers have
 * written do not name everything in full; they are run by constraints, indexes and views while rows are loaded.
 */
export interface SearchPath {
  /** After every statement. */
  follow(statement: ScriptStatement): void;
  /** Whether a statement may run functions, and be read otherwise when there is a path. */
  matters(statement: ScriptStatement): boolean;
  /** With the path that sessions of the owner have; what it does is named in full. */
  asUsual<T>(work: () => Promise<T>): Promise<T>;
}

const SETS_NONE =
  /^(?:select\s+(?:pg_catalog\.)?set_config\s*\(\s*'search_path'\s*,\s*''|set\s+search_path\s*(?:=|to)\s*''\s*;)/i;

export function createSearchPath(client: pg.Client): SearchPath {
  let isNone = false;
  return {
    follow({ text, words }) {
      if (words[0] !== 'select' && words[0] !== 'set' && words[0] !== 'reset') return;
      if (/search_path/i.test(text)) isNone = SETS_NONE.test(text);
    },
    matters({ words: [first, second, third, ...others] }) {
      if (!isNone) return false;
      if (first === 'create') return second === 'index' || third === 'index';
      if (first === 'alter') return second === 'table' && others.includes('add');
      return first === 'refresh';
    },
    async asUsual(work) {
      if (!isNone) return work();
      await client.query('reset search_path');
      const result = await work();
      await client.query("select pg_catalog.set_config('search_path', '', false)");
      return result;
    },
  };
}
