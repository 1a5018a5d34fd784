import { readableHostname } from '@lilac/contract/readable-hostname';
import { Link } from '../../../lib/router.tsx';
import { DomainBadge } from '../../domains/domain-badge.tsx';
import { type DomainState, isTroubled } from '../../domains/domain-state.ts';

interface DomainFactProps {
  environmentId: string;
  domain: string;
  /** Undefined until it has come. */
  state: DomainState | undefined;
}

/** The domain, and where something is amiss with it, what; all of it is told on the tab that it leads to. */
export function DomainFact({ environmentId, domain, state }: DomainFactProps) {
  const path = `/environments/${environmentId}/domain`;
  return (
    <>
      <Link href={path}>{readableHostname(domain)}</Link> {state && <DomainBadge state={state} />}{' '}
      {state && isTroubled(state) && <Link href={path}>What to do</Link>}
    </>
  );
}
