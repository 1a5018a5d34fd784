/** What becomes of a statement in a file that was written elsewhere. */
export type StatementRule =
  | { does: 'run' }
  /** Errors with these numbers do not matter. */
  | { does: 'run'; forgiven: readonly number[] }
  | { does: 'leave out' }
  | { does: 'refuse'; why: string }
  /** It names the database that it was written from, or for. */
  | { does: 'leave out' | 'rename'; database: string };

const RUN: StatementRule = { does: 'run' };
const LEAVE_OUT: StatementRule = { does: 'leave out' };

/** Access denied, no such variable, a value that it cannot have, not to be set, only to be set for all. */
const SETTING_ERRORS = [1227, 1193, 1231, 1238, 1229, 1621];

/** By its first words. What needs more than a database of one's own is not needed for the data. */
export function ruleFor(words: readonly string[], text: string): StatementRule {
  const [first = '', second = ''] = words;
  if (first === 'set')
    return second === 'password' || second === 'role' ? LEAVE_OUT : { does: 'run', forgiven: SETTING_ERRORS };
  if (first === 'use') return { does: 'leave out', database: nameAfter(USE, text) };
  if (second === 'database' || second === 'schema') {
    if (first === 'create' || first === 'drop') return { does: 'leave out', database: nameAfter(DATABASE, text) };
    if (first === 'alter') return ruleForAlter(nameAfter(DATABASE, text));
  }
  const isOfAccounts = ['user', 'role'].includes(second) && ['create', 'alter', 'drop', 'rename'].includes(first);
  if (isOfAccounts || ['grant', 'revoke', 'flush', 'purge', 'reset', 'change', 'install', 'kill'].includes(first))
    return LEAVE_OUT;
  if (first === 'xa') return { does: 'refuse', why: 'transactions that outlive their session are not possible here' };
  // Nobody else is there; and what is locked hides what is not.
  if ((first === 'lock' || first === 'unlock') && ['table', 'tables'].includes(second)) return LEAVE_OUT;
  return RUN;
}

/** Without a name it is the one that is being loaded. */
const NO_NAMES = ['character', 'charset', 'collate', 'comment', 'default'];

function ruleForAlter(database: string): StatementRule {
  return NO_NAMES.includes(database.toLowerCase()) ? RUN : { does: 'rename', database };
}

const MARKS = String.raw`(?:\s|\/\*M?!\d*|\*\/|\/\*(?!M?!)[^*]*\*\/|\bif\b|\bnot\b|\bexists\b|\bor\b|\breplace\b)`;
const NAME = '(`(?:[^`]|``)+`|"(?:[^"]|"")+"|[^\\s`";]+)';
const USE = new RegExp(String.raw`^${MARKS}*use${MARKS}+${NAME}`, 'i');
const DATABASE = new RegExp(
  String.raw`^${MARKS}*(?:create|drop|alter)${MARKS}+(?:database|schema)(?:${MARKS}+|(?=["${'`'}]))${NAME}`,
  'i',
);

function nameAfter(pattern: RegExp, text: string): string {
  const quoted = pattern.exec(text)?.[1] ?? '';
  const mark = quoted[0];
  return mark === '`' || mark === '"' ? quoted.slice(1, -1).replaceAll(mark + mark, mark) : quoted;
}

/** `ALTER DATABASE shop CHARACTER SET …` for another one, whose name needs no quotes. */
export function withDatabase(text: string, name: string): string {
  const found = DATABASE.exec(text);
  const quoted = found?.[1];
  if (!found || !quoted) return text;
  const at = found[0].length - quoted.length;
  return `${text.slice(0, at)}${name}${text.slice(at + quoted.length)}`;
}
