import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Db } from './pool.ts';
import type { Database } from './schema.ts';

/** The tables that lists are made of: rows of one organisation, with a name, counted in organisation_counts. */
export type PagedTable = 'applications' | 'databases' | 'projects';

export interface PagedList<T extends PagedTable> {
  table: T;
  organisationId: string;
  /** What callers may sort by. Each needs an index on the organisation, itself and the id. */
  sortColumns: readonly (keyof Database[T] & string)[];
}

/** What the caller asked for, as it came: out-of-range values are clamped, never refused. */
export interface PageRequest {
  page: number;
  limit: number;
  filter: string;
  sortColumn: string;
  sortOrder: 'asc' | 'desc';
}

export interface Page<Item> {
  items: Item[];
  totalItems: number;
  totalPages: number;
  currentPage: number;
}

/** Every row repeats the total; a page without rows is one row that holds nothing else. */
type PageRow<T extends PagedTable> = Selectable<Database[T]> & { id: string | null; page_total: string };

/** The page and the total come from one statement, so both tell of the same moment. */
export async function readPage<T extends PagedTable>(
  db: Db,
  list: PagedList<T>,
  request: PageRequest,
): Promise<Page<Selectable<Database[T]>>> {
  const { page, limit } = clampPage(request);
  const { rows } = await pageStatement(list, request).execute(db);
  const totalItems = Number(rows[0]?.page_total ?? 0);
  return {
    items: rows.filter((row) => row.id !== null),
    totalItems,
    totalPages: Math.ceil(totalItems / limit),
    currentPage: page,
  };
}

/** Finds the ids first and reads rows afterwards, so that a page far down does not read every row above it. */
export function pageStatement<T extends PagedTable>(list: PagedList<T>, request: PageRequest): RawBuilder<PageRow<T>> {
  return request.filter === '' ? pageOfAll(list, request) : pageOfMatching(list, request);
}

export function clampPage({ page, limit }: Pick<PageRequest, 'page' | 'limit'>): { page: number; limit: number } {
  return { page: clamp(page, 100_000), limit: clamp(limit, 100) };
}

/** For lists that take an offset in place of a page. */
export function clampRange({ limit, offset }: { limit: number; offset: number }): { limit: number; offset: number } {
  return { limit: clamp(limit, 100), offset: Math.min(Math.max(Math.trunc(offset), 0), 1_000_000) };
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(Math.trunc(value), 1), max);
}

/** The total is kept by triggers and the order by an index: a page costs the same however many rows there are. */
function pageOfAll<T extends PagedTable>(list: PagedList<T>, request: PageRequest): RawBuilder<PageRow<T>> {
  const order = orderOf(list, request);
  return sql`
    select t.page_total, r.*
    from (
      select coalesce(
        (select total from organisation_counts where organisation_id = ${list.organisationId} and kind = ${list.table}), 0
      ) as page_total
    ) t
    left join (
      select r.id from ${sql.table(list.table)} r where r.organisation_id = ${list.organisationId}
      order by ${order.by} limit ${order.limit} offset ${order.offset}
    ) p on true
    left join ${sql.table(list.table)} r on r.id = p.id
    order by ${order.by}`;
}

/**
 * The exact total needs every match, so the matches are gathered once, narrow, for both. Gathering them
 * first also keeps the planner from walking the whole sort order in search of a few.
 */
function pageOfMatching<T extends PagedTable>(list: PagedList<T>, request: PageRequest): RawBuilder<PageRow<T>> {
  const order = orderOf(list, request);
  return sql`
    with matching as materialized (
      select r.id, ${order.key} as sort_key from ${sql.table(list.table)} r
      where r.organisation_id = ${list.organisationId} and ${nameContains(request.filter)}
    )
    select t.page_total, r.*
    from (select count(*) as page_total from matching) t
    left join (
      select id from matching
      order by sort_key ${order.direction}, id ${order.direction} limit ${order.limit} offset ${order.offset}
    ) p on true
    left join ${sql.table(list.table)} r on r.id = p.id
    order by ${order.by}`;
}

function orderOf<T extends PagedTable>(list: PagedList<T>, request: PageRequest) {
  const { page, limit } = clampPage(request);
  const column = list.sortColumns.find((allowed) => allowed === request.sortColumn) ?? 'created_at';
  const key = column === 'name' ? sql`lower(r.name)` : sql.ref(`r.${column}`);
  const direction = request.sortOrder === 'asc' ? sql`asc` : sql`desc`;
  return { key, direction, by: sql`${key} ${direction}, r.id ${direction}`, limit, offset: (page - 1) * limit };
}

/**
 * `like` is what the trigram index serves, from three characters on. For fewer the index would be read
 * from end to end, so they are put in a way it cannot serve.
 */
function nameContains(text: string): RawBuilder<boolean> {
  if (text.length < 3) return sql`strpos(lower(r.name), lower(${text})) > 0`;
  const plain = text.replace(/[\\%_]/g, String.raw`\$&`);
  return sql`lower(r.name) like lower(${`%${plain}%`})`;
}
