import { globSync, readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { LogBuffer } from './parts/log-view/buffer.ts';
import { LogLines } from './parts/log-view/lines.tsx';

const HOSTILE = `"><img src=x onerror="alert(1)"><script>alert(1)</script>'&\u001B[31m<b>red</b>\u001B[0m`;

describe('what others have named or written', () => {
  it('is text to the console: nothing in it makes elements, or runs, from a string', () => {
    const ways =
      /dangerouslySetInnerHTML|\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write|srcDoc|\beval\(|new Function\(|createContextualFragment|DOMParser|javascript:/;
    const files = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname }).filter((file) => !file.endsWith('.test.ts'));
    expect(files.length).toBeGreaterThan(100);
    const offenders = files.filter((file) => ways.test(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')));
    expect(offenders).toEqual([]);
  });

  it('is text in a log, in its colours too, and where something is searched for', () => {
    const log = new LogBuffer({ schedule: (work) => work() });
    log.append([{ text: HOSTILE }]);
    for (const query of ['', 'img', '<b>']) {
      const markup = renderToStaticMarkup(
        createElement(LogLines, {
          log,
          shown: { first: 0, last: 1, topPx: 0, firstRow: 0, endRow: 1 },
          columns: null,
          near: { from: 0, to: 500 },
          columnsDrawn: (text) => text.length,
          query,
          current: null,
          marks: { range: null, isBeyond: false, mark: () => {}, clear: () => {} },
          isNumbered: true,
          isDated: false,
          trouble: null,
        }),
      );
      expect(markup).toContain('alert(1)');
      expect(markup.match(/<(?!\/?(div|a|span|mark)[ >])/g)).toBeNull();
    }
  });
});
