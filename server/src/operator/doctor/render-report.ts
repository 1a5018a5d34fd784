import { Help } from 'commander';
import type { Paint, Terminal } from '../terminal.ts';
import type { CheckStatus } from './check.ts';
import type { CheckedFamily } from './run-checks.ts';

const symbols: Record<CheckStatus, { symbol: string; paint: Paint }> = {
  ok: { symbol: '✓', paint: 'green' },
  warn: { symbol: '!', paint: 'yellow' },
  fail: { symbol: '✗', paint: 'red' },
};

/** Two spaces, the symbol, a space; two spaces after the title. */
const INDENT = 6;

/** One line for each check, what to do below it, and a summary. */
export function renderReport(
  families: readonly CheckedFamily[],
  { paint, width }: Pick<Terminal, 'paint' | 'width'>,
): string[] {
  const titles = families.flatMap(({ checks }) => checks.map(({ title }) => title.length));
  const titleWidth = Math.max(...titles);
  const look: Look = { paint, titleWidth, textWidth: width - titleWidth - INDENT };
  return [
    ...families.flatMap((family) => ['', paint('bold', family.title), ...renderFamily(family, look)]),
    '',
    summarise(families, paint),
  ].slice(1);
}

interface Look {
  paint: Terminal['paint'];
  titleWidth: number;
  /** What is left of a line beside the title. */
  textWidth: number;
}

function renderFamily({ checks }: CheckedFamily, { paint, titleWidth, textWidth }: Look): string[] {
  const beside = ' '.repeat(titleWidth + INDENT);
  return checks.flatMap(({ status, title, found, advice }) => {
    const { symbol, paint: colour } = symbols[status];
    const [first, ...more] = wrap(found, textWidth);
    return [
      `  ${paint(colour, symbol)} ${title.padEnd(titleWidth)}  ${first}`,
      ...more.map((line) => beside + line),
      ...(advice ? wrap(`→ ${advice}`, textWidth).map((line) => beside + paint('dim', line)) : []),
    ];
  });
}

function wrap(text: string, width: number): string[] {
  return new Help().boxWrap(text, width).split('\n');
}

function summarise(families: readonly CheckedFamily[], paint: Terminal['paint']): string {
  const count = (status: CheckStatus) =>
    families.flatMap(({ checks }) => checks).filter((check) => check.status === status).length;
  const warnings = count('warn') === 1 ? '1 warning' : `${count('warn') || 'no'} warnings`;
  const failed = count('fail');
  if (failed > 0) return paint('red', `${failed} failed, ${warnings}. Mend what failed first.`);
  return paint(count('warn') > 0 ? 'yellow' : 'green', `Nothing failed, ${warnings}.`);
}
