import { changesBetween, type Variables } from '@lilac/contract/variable-changes';
import { quoteOdd } from '../terminal/printable.ts';

export interface ChangeOptions {
  /** Left out, nobody who looks over a shoulder learns a secret. */
  showsValues: boolean;
}

/** A line for each name that is not the same: + added, ~ changed, - removed. */
export function changeLines(before: Variables, after: Variables, { showsValues }: ChangeOptions): string[] {
  const { added, changed, removed } = changesBetween(before, after);
  const lines = [
    ...added.map((name) => ({ name, sign: '+', value: valueOf(after, name) })),
    ...changed.map((name) => ({ name, sign: '~', value: `${valueOf(before, name)} -> ${valueOf(after, name)}` })),
    ...removed.map((name) => ({ name, sign: '-', value: valueOf(before, name) })),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return lines.map(({ name, sign, value }) => `${sign} ${name}${showsValues ? `=${value}` : ''}`);
}

const valueOf = (variables: Variables, name: string) => quoteOdd(variables[name]!);
