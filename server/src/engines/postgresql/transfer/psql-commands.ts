/** What becomes of a command to `psql` in a file. Nothing of them is ever run. */
export type CommandRule =
  | { does: 'skip' }
  | { does: 'connect'; databaseName: string }
  | { does: 'refuse'; why: string };

/** They change how psql shows something, or guard against commands like those that are refused here. */
const HARMLESS = new Set(
  'restrict unrestrict set unset echo qecho warn pset timing encoding errverbose a f H p r t T x'.split(' '),
);

export function ruleForCommand(text: string): CommandRule {
  const [, name = '', rest = ''] = /^\\([a-z]+|.)?\s*(.*)$/is.exec(text) ?? [];
  if (HARMLESS.has(name)) return { does: 'skip' };
  if (name === 'c' || name === 'connect') return { does: 'connect', databaseName: databaseIn(rest) };
  return {
    does: 'refuse',
    why: `\\${name} is a command to psql, which does not read this file: take the line out. Only SQL is run`,
  };
}

/** `\connect shop`, `\connect "Shop" alice`, `\connect -reuse-previous=on "dbname='shop'"`. */
function databaseIn(rest: string): string {
  const target = rest.replace(/^-reuse-previous=\w+\s*/, '');
  const quoted = /^"((?:[^"]|"")*)"|^'((?:[^']|'')*)'|^(\S*)/.exec(target);
  const name = quoted?.[1] ?? quoted?.[2] ?? quoted?.[3] ?? '';
  return /\bdbname='((?:[^'\\]|\\.)*)'/.exec(name)?.[1] ?? name;
}
