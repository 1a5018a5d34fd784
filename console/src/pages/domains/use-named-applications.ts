import { useCallback, useMemo } from 'react';
import { hasCode } from '../../lib/has-code.ts';
import { pageOfItems } from '../../lib/page-of-items.ts';
import type { Loaded } from '../../lib/use-call.ts';
import { useRead } from '../../lib/use-read.ts';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import { domainsFirst } from './domains-first.ts';
import { type NamedApplication, readAllNamed, type Reads, withEnvironments } from './read-named.ts';

const PAGE_SIZE = 10;

interface NamedPage {
  items: NamedApplication[];
  totalItems: number;
  totalPages: number;
  currentPage: number;
  /** They are too many to look at each: those with a domain come first on their page only. */
  isCut: boolean;
}

/** A page of the applications with their environments: those that have a domain of their own come first. */
export function useNamedApplications(page: number, filter: string): Loaded<NamedPage> {
  const targetOrganisationId = useMember().organisation.id;
  const reads = useMemo(() => readsOf(targetOrganisationId, filter), [targetOrganisationId, filter]);
  const all = useRead(useCallback(() => readAllNamed(reads), [reads]));
  const { data } = all;
  const isCut = data === null;
  const one = useRead(
    useCallback(() => (isCut ? readPage(reads, page) : Promise.resolve(undefined)), [isCut, reads, page]),
  );
  if (!isCut) return { ...all, data: data && { ...pageOfItems(data, page, PAGE_SIZE), isCut } };
  return { ...one, data: one.data && { ...one.data, isCut } };
}

async function readPage(reads: ReturnType<typeof readsOf>, page: number) {
  const { items, ...list } = await reads.list({ page, limit: PAGE_SIZE });
  return { ...list, items: domainsFirst(await withEnvironments(reads, items)) };
}

const readsOf = (targetOrganisationId: string, filter: string) =>
  ({
    list: (wanted) => browserSession.call('applications.list', { body: { targetOrganisationId, filter, ...wanted } }),
    async environmentsOf(applicationId) {
      try {
        return await browserSession.call('environments.list', { body: { targetOrganisationId, applicationId } });
      } catch (error) {
        if (hasCode(error, 'NF001')) return null;
        throw error;
      }
    },
  }) satisfies Reads;
