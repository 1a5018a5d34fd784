import { useEffect, useRef, useState } from 'react';
import type { OutputOf } from '../../lib/api-types.ts';
import { browserSession } from '../../session/browser-session.ts';
import { useMember } from '../member-context.ts';
import { nextToAsk } from './next-to-ask.ts';

export type Environment = OutputOf<'environments.list'>[number];

/**
 * Of each application, once it has answered; one that does not answer has none. Each is asked once for as long as the
 * search is open, and what is not wanted any more when its turn comes is not asked.
 */
export function useEnvironments(applicationIds: readonly string[]): ReadonlyMap<string, Environment[]> {
  const targetOrganisationId = useMember().organisation.id;
  const [known, setKnown] = useState<ReadonlyMap<string, Environment[]>>(new Map());
  const asked = useRef(new Set<string>());
  const key = applicationIds.join(' ');
  useEffect(() => {
    for (const applicationId of nextToAsk(key.split(' ').filter(Boolean), { asked: asked.current, known })) {
      asked.current.add(applicationId);
      const learn = (list: Environment[]) => setKnown((before) => new Map(before).set(applicationId, list));
      browserSession
        .call('environments.list', { body: { targetOrganisationId, applicationId } })
        .then(learn, () => learn([]));
    }
  }, [key, known, targetOrganisationId]);
  return known;
}
