import type { RepositoryName } from '../vcs-host.ts';

/**
 * Null for what no repository is called: a name goes into the address of a request, and one of dots would lead to
 * another endpoint.
 */
export function pathOf({ owner, name }: RepositoryName): string[] | null {
  const segments = [...owner.split('/'), name];
  const isPlausible = segments.every((segment) => /^[^/\\?#%\s]+$/.test(segment) && !/^\.+$/.test(segment));
  return isPlausible ? segments : null;
}

/** The order in which lists are given. */
export function inOrderOf<T>(items: readonly T[], key: (item: T) => string): T[] {
  return items.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}
