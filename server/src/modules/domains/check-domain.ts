import type { EnvironmentRow } from '../../db/schema.ts';
import { findDomainOf } from './domain-store.ts';
import type { DomainsDeps } from './domains-deps.ts';
import { lookAtDomain } from './look-at-domain.ts';

/** However often somebody asks, the DNS is not asked more often than this. */
const FRESH_MS = 3000;

/** Looks anew unless somebody has just done so. Those who ask at the same moment wait for the same look. */
export function createCheck(deps: DomainsDeps): (environment: Pick<EnvironmentRow, 'id'>) => Promise<void> {
  const underWay = new Map<string, Promise<unknown>>();
  return async ({ id }) => {
    const domain = await findDomainOf(deps.store.db, id);
    if (!domain) return;
    const since = domain.checked_at === null ? Infinity : deps.clock.now().getTime() - domain.checked_at.getTime();
    if (since < FRESH_MS) return;
    const look = underWay.get(domain.id) ?? lookAtDomain(deps, domain.id).finally(() => underWay.delete(domain.id));
    underWay.set(domain.id, look);
    await look;
  };
}
