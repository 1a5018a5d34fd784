import { StatementRefused, type Cells } from '../explorer.ts';

export const tooSlow = (timeoutMs: number): StatementRefused =>
  new StatementRefused(`It was ended, since it took longer than ${timeoutMs / 1000} seconds.`);

export const cancelled = (): StatementRefused => new StatementRefused('It was cancelled.');

export const tooLarge = (): StatementRefused =>
  new StatementRefused('The answer is too large. Ask for fewer rows, or for parts of their values.');

export const noColumn = (name: string): StatementRefused =>
  new StatementRefused(`The table has no column ${JSON.stringify(name)}.`);

export const MAY_ONLY_READ = 'Run it with readOnly: false to let it change something.';

/** Neither less than the primary key, which might mean several rows, nor more. */
export function assertWholeKey(primaryKey: readonly string[], key: Cells): void {
  if (primaryKey.length === 0) {
    throw new StatementRefused('The table has no primary key, so no single row can be named. Use a statement instead.');
  }
  const given = Object.keys(key);
  const isWhole = given.length === primaryKey.length && primaryKey.every((name) => Object.hasOwn(key, name));
  if (isWhole && primaryKey.every((name) => key[name] !== null)) return;
  const names = primaryKey.map((name) => JSON.stringify(name)).join(', ');
  throw new StatementRefused(`The key must be the primary key, whole and without nulls: ${names}.`);
}

export const changedOthers = (count: number): StatementRefused =>
  new StatementRefused(`It would have changed ${count} rows instead of one, so nothing was changed.`);
