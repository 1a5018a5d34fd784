import { useMemo } from 'react';
import { replaceAddress, useQuery } from '../../../lib/router.tsx';
import type { Table } from './data-tab.tsx';
import { readRequest, writeRequest } from './rows-address.ts';
import type { RowsRequest } from './rows-request.ts';

/** Which rows the address asks for, so that a reload and a link keep them; and how to write others there. */
export function useRowsAddress({ schema, name }: Table): [RowsRequest, (request: RowsRequest) => void] {
  const [filters] = useQuery('filters');
  const [sort] = useQuery('sort');
  const [order] = useQuery('order');
  const [page] = useQuery('page');
  const request = useMemo(() => readRequest({ filters, sort, order, page }), [filters, sort, order, page]);
  const write = (next: RowsRequest) => {
    const query = new URLSearchParams({ schema, table: name, ...writeRequest(next) });
    replaceAddress(`${location.pathname}?${query}`);
  };
  return [request, write];
}
