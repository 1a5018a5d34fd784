import type { CallInput } from '@lilac/contract/client';

type Body = CallInput<'databases.explorer.rows'>['body'];
export type FilterOperator = NonNullable<Body['filters']>[number]['operator'];

export interface RowFilter {
  column: string;
  operator: FilterOperator;
  /** As it is typed, whatever the type of the column. */
  value?: string;
}

/** Which rows of a table are shown, and in which order. */
export interface RowsRequest {
  page: number;
  sortColumn?: string;
  sortOrder: 'asc' | 'desc';
  filters: readonly RowFilter[];
}

export const firstRows: RowsRequest = { page: 1, sortOrder: 'asc', filters: [] };

/** Nothing was chosen. */
export function isFirst({ page, sortColumn, filters }: RowsRequest): boolean {
  return page === 1 && sortColumn === undefined && filters.length === 0;
}

export const MOST_FILTERS = 20;

export const operators: readonly { value: FilterOperator; label: string }[] = [
  { value: '=', label: 'is' },
  { value: '!=', label: 'is not' },
  { value: 'contains', label: 'contains' },
  { value: '<', label: 'is less than' },
  { value: '<=', label: 'is at most' },
  { value: '>', label: 'is more than' },
  { value: '>=', label: 'is at least' },
  { value: 'is null', label: 'is NULL' },
  { value: 'is not null', label: 'is not NULL' },
];

export const needsValue = (operator: FilterOperator): boolean => !operator.endsWith('null');

/** A column is sorted up, then down, then not any more; another order begins with the first page. */
export function sortedBy(request: RowsRequest, column: string): RowsRequest {
  const { sortColumn: _before, ...rest } = request;
  if (request.sortColumn !== column) return { ...rest, page: 1, sortColumn: column, sortOrder: 'asc' };
  if (request.sortOrder === 'asc') return { ...request, page: 1, sortOrder: 'desc' };
  return { ...rest, page: 1, sortOrder: 'asc' };
}

export function withFilter(request: RowsRequest, filter: RowFilter): RowsRequest {
  const { value, ...rest } = filter;
  const added = needsValue(filter.operator) ? { ...rest, value: value ?? '' } : rest;
  return { ...request, page: 1, filters: [...request.filters, added] };
}

export function withoutFilter(request: RowsRequest, index: number): RowsRequest {
  return { ...request, page: 1, filters: request.filters.toSpliced(index, 1) };
}

export function describeFilter({ column, operator, value }: RowFilter): string {
  const label = operators.find((each) => each.value === operator)!.label;
  return needsValue(operator) ? `${column} ${label} “${value ?? ''}”` : `${column} ${label}`;
}
