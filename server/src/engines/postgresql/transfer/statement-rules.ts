/** What becomes of a statement in a file that was written elsewhere. */
export type StatementRule =
  | { does: 'run' }
  /** Errors with these codes do not matter; the statement is undone, and the rest goes on. */
  | { does: 'run'; forgiven: readonly string[] }
  | { does: 'leave out' }
  | { does: 'refuse'; why: string };

const RUN: StatementRule = { does: 'run' };
const LEAVE_OUT: StatementRule = { does: 'leave out' };
const forgiving = (...forgiven: string[]): StatementRule => ({ does: 'run', forgiven });
const refuse = (why: string): StatementRule => ({ does: 'refuse', why });

/** PostgreSQL's codes, of https://www.postgresql.org/docs/current/errcodes-appendix.html. */
const FORBIDDEN = '42501';
const UNDEFINED_OBJECT = '42704';
const NOT_SUPPORTED = '0A000';
const DUPLICATE_SCHEMA = '42P06';
const INVALID_VALUE = '22023';
const NO_SUCH_FILE = '58P01';
export const UNDEFINED = [UNDEFINED_OBJECT, '42P01', '42703', '42883', '3F000'];

const KINDS_OF_ROLES = ['role', 'user', 'group'];

/**
 * By its first words. What only a superuser may do, and what concerns accounts that are not here, is not needed for
 * the data; and the file runs in one transaction, whatever it says of its own.
 */
export function ruleFor(words: readonly string[]): StatementRule {
  const [first, second, third] = words;
  switch (first) {
    case 'set':
    case 'reset':
      return ruleForSetting(words);
    case 'alter':
      return ruleForAlter(words);
    case 'create':
      return ruleForCreate(words);
    case 'drop':
      return isOfServer(second) ? LEAVE_OUT : forgiving(...UNDEFINED);
    case 'comment':
      return isOneOf(third, ['extension', 'database', ...KINDS_OF_ROLES]) ? LEAVE_OUT : forgiving(FORBIDDEN);
    case 'grant':
    case 'revoke':
      return forgiving(UNDEFINED_OBJECT, FORBIDDEN, NOT_SUPPORTED, '0LP01', '0P000');
    case 'select':
      // How pg_dump drops large objects.
      return third === 'lo_unlink' ? forgiving(UNDEFINED_OBJECT) : RUN;
    case 'security':
    case 'vacuum':
    case 'discard':
    case 'checkpoint':
      return LEAVE_OUT;
    default:
      return ruleForTransaction(words);
  }
}

function ruleForTransaction([first, second, ...others]: readonly string[]): StatementRule {
  const isPrepared = second === 'prepared' || (first === 'prepare' && second === 'transaction');
  if (isPrepared) return refuse('transactions that outlive their session are not possible here');
  if (first === 'begin' || first === 'commit' || first === 'end') return LEAVE_OUT;
  if (first === 'start' && second === 'transaction') return LEAVE_OUT;
  const undoesAll = first === 'abort' || (first === 'rollback' && second !== 'to' && others[0] !== 'to');
  return undoesAll ? refuse('the file is loaded as a whole, and cannot undo a part of itself') : RUN;
}

function ruleForSetting(words: readonly string[]): StatementRule {
  const name = words.find((word, index) => index > 0 && word !== 'session' && word !== 'local');
  // SET SESSION AUTHORIZATION, SET ROLE: the owner has everything here. SET TRANSACTION: it is not the file's.
  if (isOneOf(name, ['role', 'authorization', 'transaction', 'characteristics', 'all'])) return LEAVE_OUT;
  // How long it may wait, which dumps set to for ever, is for us to say: other imports wait behind this one.
  if (name === 'lock_timeout') return LEAVE_OUT;
  // What the server should send; this one is read in UTF-8, and the reader has looked at it.
  if (name === 'client_encoding' || name === 'names') return LEAVE_OUT;
  return forgiving(UNDEFINED_OBJECT, INVALID_VALUE, FORBIDDEN, NOT_SUPPORTED);
}

function ruleForAlter(words: readonly string[]): StatementRule {
  const [, second, third] = words;
  if (isOfServer(second) && third !== 'mapping') return LEAVE_OUT;
  if (second === 'default' && third === 'privileges') return forgiving(UNDEFINED_OBJECT, FORBIDDEN);
  const givesAway = words.some((word, index) => word === 'owner' && words[index + 1] === 'to');
  if (givesAway && !words.includes('rename')) return LEAVE_OUT;
  return words.includes('drop') ? forgiving(...UNDEFINED) : RUN;
}

function ruleForCreate(words: readonly string[]): StatementRule {
  const [, second, third] = words;
  if (isOfServer(second) && third !== 'mapping') return LEAVE_OUT;
  // Every database has it: CREATE EXTENSION IF NOT EXISTS plpgsql, CREATE OR REPLACE PROCEDURAL LANGUAGE plpgsql.
  const [kind, name] = words.filter((word) => !BETWEEN.has(word)).slice(1);
  if (name === 'plpgsql' && (kind === 'extension' || kind === 'language')) return LEAVE_OUT;
  if (second === 'extension') return forgiving(FORBIDDEN, NOT_SUPPORTED, NO_SUCH_FILE);
  return second === 'schema' && third === 'public' ? forgiving(DUPLICATE_SCHEMA) : RUN;
}

const BETWEEN = new Set(['or', 'replace', 'trusted', 'procedural', 'if', 'not', 'exists']);

/** What there is once for a server, and not in a database. */
const isOfServer = (kind: string | undefined): boolean => isOneOf(kind, ['database', 'tablespace', ...KINDS_OF_ROLES]);

const isOneOf = (word: string | undefined, words: readonly string[]): boolean =>
  word !== undefined && words.includes(word);
