import { SELDOM_MS } from '../../../lib/news-pace.ts';
import { useCall } from '../../../lib/use-call.ts';
import { useMember } from '../../../shell/member-context.ts';
import { type DomainState, pauseAfter } from '../../domains/domain-state.ts';
import type { Environment } from '../environment-page.tsx';

const AWAITED_MS = 15_000;

/** How far the domain is; undefined where there is none, or nobody has said yet. */
export function useDomainState({ id, custom_domain, status }: Environment): DomainState | undefined {
  const targetOrganisationId = useMember().organisation.id;
  const isAsked = custom_domain !== null && status !== 'deleting';
  const input = isAsked ? { body: { targetOrganisationId, environmentId: id } } : null;
  const { data } = useCall('environments.check-domain', input, { refreshMs: paceOfDomain });
  return isAsked && data?.domain === custom_domain ? data : undefined;
}

const paceOfDomain = (state: DomainState | undefined) =>
  state && pauseAfter(state, 0) === null ? SELDOM_MS : AWAITED_MS;
