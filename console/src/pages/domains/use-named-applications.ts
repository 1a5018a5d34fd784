import { useCallback } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
import { hasCode } from '../../lib/has-code.ts';
import { useRead } from '../../lib/use-read.ts';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../../shell/member-context.ts';
import { domainsFirst } from './domains-first.ts';
import type { Environment } from './domain-state.ts';

export interface NamedApplication {
  id: string;
  name: string;
  environments: Environment[];
}

/** Every application on a page asks for its environments. */
const PAGE_SIZE = 10;

/** A page of the applications with their environments: those that have a domain of their own come first. */
export function useNamedApplications(page: number) {
  const targetOrganisationId = useMember().organisation.id;
  return useRead(
    useCallback(async () => {
      const body = { targetOrganisationId, page, limit: PAGE_SIZE };
      const { items, ...list } = await browserSession.call('applications.list', { body });
      const named = await Promise.all(items.map((application) => withEnvironments(targetOrganisationId, application)));
      return { ...list, items: domainsFirst(named.filter((each) => each !== null)) };
    }, [targetOrganisationId, page]),
  );
}

/** Null where it was deleted meanwhile. */
async function withEnvironments(
  targetOrganisationId: string,
  { id, name }: OutputOf<'applications.list'>['items'][number],
): Promise<NamedApplication | null> {
  try {
    const body = { targetOrganisationId, applicationId: id };
    return { id, name, environments: await browserSession.call('environments.list', { body }) };
  } catch (error) {
    if (hasCode(error, 'NF001')) return null;
    throw error;
  }
}
