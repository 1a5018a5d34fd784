import type { Paint, Terminal } from '../terminal.ts';
import type { CheckStatus } from './check.ts';
import type { CheckedFamily } from './run-checks.ts';

const symbols: Record<CheckStatus, { symbol: string; paint: Paint }> = {
  ok: { symbol: '✓', paint: 'green' },
  warn: { symbol: '!', paint: 'yellow' },
  fail: { symbol: '✗', paint: 'red' },
};

/** One line for each check, what to do below it, and a summary. */
export function renderReport(families: readonly CheckedFamily[], paint: Terminal['paint']): string[] {
  const titles = families.flatMap(({ checks }) => checks.map(({ title }) => title.length));
  const width = Math.max(...titles);
  return [
    ...families.flatMap((family) => ['', paint('bold', family.title), ...renderFamily(family, width, paint)]),
    '',
    summarise(families, paint),
  ].slice(1);
}

function renderFamily({ checks }: CheckedFamily, width: number, paint: Terminal['paint']): string[] {
  return checks.flatMap(({ status, title, found, advice }) => {
    const { symbol, paint: colour } = symbols[status];
    const line = `  ${paint(colour, symbol)} ${title.padEnd(width)}  ${found}`;
    return advice ? [line, `${' '.repeat(width + 6)}${paint('dim', `→ ${advice}`)}`] : [line];
  });
}

function summarise(families: readonly CheckedFamily[], paint: Terminal['paint']): string {
  const count = (status: CheckStatus) =>
    families.flatMap(({ checks }) => checks).filter((check) => check.status === status).length;
  const warnings = count('warn') === 1 ? '1 warning' : `${count('warn') || 'no'} warnings`;
  const failed = count('fail');
  if (failed > 0) return paint('red', `${failed} failed, ${warnings}. Mend what failed first.`);
  return paint(count('warn') > 0 ? 'yellow' : 'green', `Nothing failed, ${warnings}.`);
}
