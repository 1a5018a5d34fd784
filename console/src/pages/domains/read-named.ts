import { domainsFirst } from './domains-first.ts';
import type { Environment } from './domain-state.ts';

export interface NamedApplication {
  id: string;
  name: string;
  environments: Environment[];
}

interface Listed {
  id: string;
  name: string;
}

/** What the platform is asked. */
export interface Reads {
  list: (wanted: { page: number; limit: number }) => Promise<{ items: Listed[]; totalPages: number }>;
  /** Null where the application was deleted meanwhile. */
  environmentsOf: (applicationId: string) => Promise<Environment[] | null>;
}

/** Every application is asked for its environments: of more than that only those on a page are. */
export const MOST_LOOKED = 100;
const AT_ONCE = 10;

/** All of them, those that have a domain of their own first. Null: they are too many. */
export async function readAllNamed(reads: Reads): Promise<NamedApplication[] | null> {
  const { items, totalPages } = await reads.list({ page: 1, limit: MOST_LOOKED });
  return totalPages > 1 ? null : domainsFirst(await withEnvironments(reads, items));
}

export async function withEnvironments(reads: Reads, items: readonly Listed[]): Promise<NamedApplication[]> {
  const named: NamedApplication[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    const some = items.slice(from, from + AT_ONCE);
    const found = await Promise.all(some.map(({ id }) => reads.environmentsOf(id)));
    named.push(...some.flatMap(({ id, name }, at) => (found[at] ? [{ id, name, environments: found[at] }] : [])));
  }
  return named;
}
