import type { WebhookHead } from '../vcs-host.ts';

const PARAMETER = 'repository';

/**
 * Each repository has an address of its own: it says whose secret to expect, before anything of the body is believed.
 */
export function hookAddress(url: string, repositoryId: string): string {
  const address = new URL(url);
  address.searchParams.set(PARAMETER, repositoryId);
  return address.href;
}

/** Hosts may write the same address in another way: which characters they escape is theirs. */
export function isSameAddress(one: string, other: string): boolean {
  const [a, b] = [URL.parse(one), URL.parse(other)];
  if (!a || !b) return false;
  return `${a.origin}${a.pathname}` === `${b.origin}${b.pathname}` && repositoryOf(a) === repositoryOf(b);
}

const repositoryOf = ({ searchParams }: URL): string | null => searchParams.get(PARAMETER);

/** Null when it was sent to no repository's address. */
export function addressedRepository({ query }: Pick<WebhookHead, 'query'>): string | null {
  return query[PARAMETER] || null;
}
