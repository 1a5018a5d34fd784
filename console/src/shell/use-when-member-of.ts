import { useCallback, useEffect, useRef } from 'react';
import type { OrganisationChoice } from '../lib/api-types.ts';

/**
 * For who has just made an organisation: before the profile has it, another one would be shown in its place. What this
 * answers asks for the profile, and resolves once it has come with that organisation in it.
 */
export function useWhenMemberOf(
  organisations: readonly OrganisationChoice[],
  reloadProfile: () => void,
): (organisationId: string) => Promise<void> {
  const waiting = useRef(new Map<string, () => void>());
  useEffect(() => {
    for (const { id } of organisations) {
      waiting.current.get(id)?.();
      waiting.current.delete(id);
    }
  }, [organisations]);
  return useCallback(
    (organisationId) =>
      new Promise<void>((resolve) => {
        waiting.current.set(organisationId, resolve);
        // Where this fails, the next look for news brings it.
        reloadProfile();
      }),
    [reloadProfile],
  );
}
