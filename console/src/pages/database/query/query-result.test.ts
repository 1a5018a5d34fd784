import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { QueryResultView } from './query-result.tsx';

it('a result is drawn anew only when it is another one, not with every letter of the next statement', () => {
  expect(QueryResultView).toMatchObject({ $$typeof: Symbol.for('react.memo'), compare: null });
});

it('a result without rows shows its columns and their types', () => {
  const columns = [{ name: 'price', type: 'numeric' }];
  const result = { columns, rows: [], rowCount: 0, truncated: false, durationMs: 1 };
  const markup = renderToStaticMarkup(createElement(QueryResultView, { result, words: '0 rows' }));
  expect(markup).toMatch(/<th[^>]*><bdi>price<\/bdi><span[^>]*><bdi>numeric/);
  expect(markup).toContain('No rows.');
  const done = { ...result, columns: [] };
  expect(renderToStaticMarkup(createElement(QueryResultView, { result: done, words: 'Done' }))).not.toContain(
    'No rows',
  );
});
