import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { RowsGrid } from './rows-grid.tsx';
import { firstRows } from './rows-request.ts';

const nothing = () => {};

it('a table without rows shows its columns and their types', () => {
  const columns = [
    { name: 'price', type: 'numeric', nullable: true, default: null, primaryKey: false, generated: false, list: false },
  ];
  const table = { schema: 'public', name: 'item', view: false, rows: 0, columns };
  const props = { table, title: 'item', rows: [], request: firstRows, isWhole: false, canChange: false };
  const markup = renderToStaticMarkup(createElement(RowsGrid, { ...props, onSort: nothing, onEdit: nothing }));
  expect(markup).toMatch(/<th[^>]*>.*<bdi>price<\/bdi>.*<bdi>numeric<\/bdi>/);
  expect(markup).toContain('No rows.');
});
