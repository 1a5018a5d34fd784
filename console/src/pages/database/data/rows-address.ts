import {
  type FilterOperator,
  firstRows,
  MOST_FILTERS,
  operators,
  type RowFilter,
  type RowsRequest,
} from './rows-request.ts';

/** As the address has them; empty where it has none. */
interface AddressedRows {
  filters: string;
  sort: string;
  order: string;
  page: string;
}

/** What an address asks for; of one that somebody has changed by hand, what can be read. */
export function readRequest({ filters, sort, order, page }: AddressedRows): RowsRequest {
  return {
    page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) : firstRows.page,
    ...(sort !== '' && { sortColumn: sort }),
    sortOrder: sort !== '' && order === 'desc' ? 'desc' : firstRows.sortOrder,
    filters: readFilters(filters),
  };
}

/** The query of an address: only what is not as usual. */
export function writeRequest({ page, sortColumn, sortOrder, filters }: RowsRequest): Record<string, string> {
  return {
    ...(filters.length > 0 && { filters: JSON.stringify(filters.map(writeFilter)) }),
    ...(sortColumn !== undefined && { sort: sortColumn, ...(sortOrder === 'desc' && { order: sortOrder }) }),
    ...(page > 1 && { page: String(page) }),
  };
}

/** `["name","contains","Ada"]`. */
function writeFilter({ column, operator, value }: RowFilter): string[] {
  return value === undefined ? [column, operator] : [column, operator, value];
}

function readFilters(text: string): RowFilter[] {
  try {
    const told = JSON.parse(text) as unknown;
    return Array.isArray(told) ? told.flatMap(readFilter).slice(0, MOST_FILTERS) : [];
  } catch {
    return [];
  }
}

function readFilter(told: unknown): RowFilter[] {
  if (!Array.isArray(told) || !told.every((each) => typeof each === 'string')) return [];
  const [column, operator, value] = told;
  if (!column || !isOperator(operator)) return [];
  return [{ column, operator, ...(value !== undefined && { value }) }];
}

const isOperator = (text: string | undefined): text is FilterOperator => operators.some(({ value }) => value === text);
