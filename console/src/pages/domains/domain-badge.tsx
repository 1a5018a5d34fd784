import { standingOf } from '@lilac/contract/domain-steps';
import { Badge } from '../../parts/badge.tsx';
import { type DomainState, isEndangered, tones } from './domain-state.ts';

const words = {
  unaddressed: 'no address to point at',
  looking: 'looking for the record',
  missing: 'record missing',
  wrong: 'record leads elsewhere',
  ordered: 'certificate ordered',
  waiting: 'certificate waits',
  served: 'served',
  proxied: 'leads here, https is up to a proxy',
  astray: 'leads elsewhere',
  failed: 'certificate failed',
};

/** How far a domain is, in a word or two. */
export function DomainBadge({ state }: { state: DomainState }) {
  const standing = standingOf(state);
  if (standing === 'none') return null;
  if (isEndangered(state)) return <Badge tone="warning">served, needs attention</Badge>;
  return <Badge tone={tones[standing]}>{words[standing]}</Badge>;
}
