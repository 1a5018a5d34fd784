import { describe, expect, it } from 'vitest';
import { readRequest, writeRequest } from './rows-address.ts';
import { firstRows, type RowsRequest } from './rows-request.ts';

const empty = { filters: '', sort: '', order: '', page: '' };
const throughAddress = (request: RowsRequest) =>
  readRequest({ ...empty, ...Object.fromEntries(new URLSearchParams(writeRequest(request))) });

describe('which rows are shown, in the address', () => {
  it.each<RowsRequest>([
    firstRows,
    { ...firstRows, page: 7, sortColumn: 'größe & co', sortOrder: 'desc' },
    {
      ...firstRows,
      filters: [
        { column: 'a "b" [c]', operator: 'contains', value: 'x=1&y=%2B "z"' },
        { column: 'd', operator: '=', value: '' },
        { column: 'e', operator: 'is not null' },
      ],
    },
  ])('is read as it was written: %j', (request) => {
    expect(throughAddress(request)).toStrictEqual(request);
  });

  it('is nothing where all is as usual', () => expect(writeRequest(firstRows)).toEqual({}));

  it('is read as far as it can be where somebody has changed it', () => {
    const told = {
      filters: '[["a","=","1"],["a","like","1"],["",">","1"],["a",">",1],"a",null]',
      sort: 'a',
      order: 'up',
    };
    expect(readRequest({ ...told, page: '-3' })).toEqual({
      page: 1,
      sortColumn: 'a',
      sortOrder: 'asc',
      filters: [{ column: 'a', operator: '=', value: '1' }],
    });
    for (const filters of ['[', '{}', 'null', '7']) expect(readRequest({ ...empty, filters })).toStrictEqual(firstRows);
    const many = JSON.stringify(Array.from({ length: 30 }, () => ['a', '=', '1']));
    expect(readRequest({ ...empty, filters: many }).filters).toHaveLength(20);
  });
});
