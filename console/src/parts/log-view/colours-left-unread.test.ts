import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseAnsi, stripAnsi, styleAfter } from '../../lib/ansi.ts';
import { failingLine } from '../../pages/deployment/failing-line.ts';
import type { LogBuffer } from './buffer.ts';
import { printLines } from './line-time.ts';
import { LogLines } from './lines.tsx';
import { LogRows } from './rows.ts';
import { LogSearch } from './search.ts';
import { shownOf } from './shown.ts';
import { logOf } from './testing/log-of.ts';

vi.mock(import('../../lib/ansi.ts'), { spy: true });

const COUNT = 100_000;
const [parsed, stripped, followed] = [parseAnsi, stripAnsi, styleAfter].map((spied) => vi.mocked(spied));

afterEach(() => {
  vi.clearAllMocks();
});

/** As most tools write it; those of Node take back each colour by itself. */
const off = { 'all at once': '\u001B[0m', 'each by itself': '\u001B[39m' };

function open(end: string): LogBuffer {
  return logOf(Array.from({ length: COUNT }, (_, index) => `\u001B[32m✓${end} module ${index + 1} is made`));
}

/** At its end, as it is opened. Answers how many lines are in the page, and the page. */
function draw(log: LogBuffer, columns: number | null) {
  const shown = shownOf(new LogRows(columns).update(log), { topPx: 0, heightPx: 600, isFollowing: true });
  log.longestWith(shown.first, shown.last);
  const markup = renderToStaticMarkup(
    createElement(LogLines, {
      log,
      shown,
      columns,
      near: { from: 0, to: 200 },
      columnsDrawn: (text: string) => text.length,
      query: '',
      current: null,
      marks: { range: null, isBeyond: false, mark: () => {}, clear: () => {} },
      isNumbered: true,
      isDated: false,
      trouble: null,
    }),
  );
  return { drawn: shown.last - shown.first, markup };
}

describe.each(Object.entries(off))('of a hundred thousand lines whose colours are taken back %s', (_how, end) => {
  it.each([
    ['as they are', null],
    ['wrapped', 120],
  ])('only those are read that are drawn, %s', (_what, columns) => {
    const { drawn, markup } = draw(open(end), columns);
    expect(markup).toContain(`module ${COUNT} is made`);
    expect(markup.match(/ansi-2"/g)).toHaveLength(drawn);
    expect(drawn).toBeLessThan(100);
    expect(parsed).toHaveBeenCalledTimes(drawn);
    expect(stripped).toHaveBeenCalledTimes(drawn);
    expect(followed!.mock.calls.length, 'and what some before them have left on').toBeLessThanOrEqual(drawn + 1000);
  });

  it('all are found and copied without their colours, which nobody sees of most', () => {
    const log = open(end);
    expect(new LogSearch('✓ module 77777 ').update(log)).toEqual([77_777]);
    const copied = printLines(log.lines).split('\n');
    expect([copied.length, copied[0], copied.at(-1)]).toEqual([
      COUNT,
      '✓ module 1 is made',
      `✓ module ${COUNT} is made`,
    ]);
    expect(stripped, 'once for both').toHaveBeenCalledTimes(COUNT);
    expect([parsed, followed].map((spied) => spied!.mock.calls.length)).toEqual([0, 0]);
  });

  it('what made a build fail is looked for among those of its stage', () => {
    const log = open(end);
    log.append(['==> Building', '\u001B[31merror\u001B[39m: no', '==> It failed.'].map((text) => ({ text })));
    expect(failingLine(log.lines, 'It failed.')).toBe(COUNT + 2);
    expect(stripped!.mock.calls.length).toBeLessThan(5);
  });
});

it('a colour that is left on is not looked for from the beginning of a log', () => {
  const log = logOf(['\u001B[31mred', ...Array<string>(5000).fill('\u001B[1mx\u001B[22m')]);
  expect(log.styleBefore(4000)).toBeNull();
  expect(followed).toHaveBeenCalledTimes(1000);
  expect(log.styleBefore(900)?.ink).toBe(1);
});
