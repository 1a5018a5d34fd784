import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { LogLines } from './lines.tsx';
import { LogRows } from './rows.ts';
import { columnsNear, ROW_PX, shownOf, STEP_COLUMNS } from './shown.ts';
import { logOf } from './testing/log-of.ts';

const COLUMNS = 160;

/** As in a browser whose fonts draw what is wide in one column and a half. */
const columnsDrawn = (text: string) => text.length * 1.5;

interface Drawn {
  isWrapped?: boolean;
  query?: string;
  /** Where it is scrolled to. */
  column?: number;
  row?: number;
}

function draw(texts: readonly string[], { isWrapped = false, query = '', column = 0, row = 0 }: Drawn = {}): string {
  const log = logOf(texts);
  const columns = isWrapped ? COLUMNS : null;
  const rows = new LogRows(columns).update(log);
  return renderToStaticMarkup(
    createElement(LogLines, {
      log,
      columns,
      columnsDrawn,
      query,
      shown: shownOf(rows, { topPx: row * ROW_PX, heightPx: 600, isFollowing: false }),
      near: columnsNear(Math.floor(column / STEP_COLUMNS), COLUMNS),
      current: null,
      marks: { range: null, isBeyond: false, mark: () => {}, clear: () => {} },
      isNumbered: false,
      isDated: false,
      trouble: null,
    }),
  );
}

const elementsOf = (markup: string) => markup.match(/<(?!\/)/g)!.length;
const lettersOf = (markup: string) => markup.replaceAll(/<[^>]*>/g, '');
const ROOM_OF_ROWS = /padding-block:(\d+)px (\d+)px/;

describe('long lines', () => {
  it.each([
    ['wide letters', '漢'.repeat(2730), 5],
    ['letters that are one by one', '🚀'.repeat(2000), 300],
    ['a colour for every letter', '\u001B[31mx\u001B[32my'.repeat(400), 400],
    ['usual letters', 'x'.repeat(100_000), 5],
  ])('make few elements each: %s', (_what, text, most) => {
    for (const how of [{}, { column: 1000 }, { isWrapped: true }]) {
      const count = how.isWrapped ? 1 : 20;
      const markup = draw(Array<string>(count).fill(text), how);
      // Wrapped, one of them fills the sight, row by row.
      const rows = how.isWrapped ? 71 : count;
      expect(elementsOf(markup) / rows, `each, ${Object.keys(how).join('')}`).toBeLessThan(most);
    }
  });

  it.each(['x'.repeat(8192), '漢'.repeat(2730), 'Ошибка '.repeat(90)])(
    'are drawn whole where they make few, so that somebody can select all of one: %.5s',
    (text) => {
      for (const how of [{ column: 1000 }, { isWrapped: true }, { query: text.slice(0, 300) }]) {
        expect(lettersOf(draw([text], how))).toBe(text);
      }
    },
  );

  it('are drawn where somebody looks, at their columns', () => {
    const text = Array.from({ length: 1000 }, (_, index) => `${index}`.padStart(5, '漢')).join('');
    const markup = draw([text], { column: 1000 });
    const [, before] = /padding-inline-start:(\d+)ch/.exec(markup)!;
    expect(Number(before)).toBeLessThanOrEqual(1000 - STEP_COLUMNS + 1);
    const letters = lettersOf(markup);
    expect(text).toContain(letters);
    expect(letters.length).toBeLessThan(COLUMNS + 4 * STEP_COLUMNS);
    expect(draw([text])).not.toContain('padding');
  });

  it('are drawn at the rows where somebody looks, and keep the room of the others', () => {
    const text = '漢'.repeat(80_000);
    const markup = draw([text], { isWrapped: true, row: 500 });
    const [, before, after] = ROOM_OF_ROWS.exec(markup)!;
    const drawnRows = lettersOf(markup).length / (COLUMNS / 2);
    expect([Number(before), Number(after)]).toEqual([480 * ROW_PX, (1000 - 480 - drawnRows) * ROW_PX]);
    expect(markup.match(/log-cell/g), 'one in each row, which none reaches over').toHaveLength(drawnRows);
  });

  it('have marked what is looked for, far to the right too', () => {
    const text = `${'🚀'.repeat(2000)}here${'🚀'.repeat(700)}`;
    expect(draw([text], { query: 'HERE' })).not.toContain('<mark>');
    expect(draw([text], { query: 'HERE', column: 4000 })).toContain('<mark>here</mark>');
  });

  it('are marked at once where every letter is what is looked for', () => {
    const markup = draw(Array<string>(10).fill('a'.repeat(8192)), { query: 'a' });
    expect(markup.match(/<mark>/g)!.length).toBeLessThan(10 * 300);
  });
});

it('letters that one cell holds are spread over its columns', () => {
  expect(draw(['漢字'])).toContain('style="width:4ch;letter-spacing:0.5000ch"');
  expect(draw(['漢'])).toContain('style="width:2ch"');
});
