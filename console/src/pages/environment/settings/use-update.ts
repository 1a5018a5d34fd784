import type { CallInput } from '@lilac/contract/client';
import { browserSession } from '../../../session/browser-session.ts';
import { useMember } from '../../../shell/member-context.ts';
import type { TabProps } from '../environment-page.tsx';

type Changes = Omit<CallInput<'environments.update'>['body'], 'targetOrganisationId' | 'environmentId'>;

/** Null goes back to what the application has. */
export function useUpdate({ environment, reload }: Pick<TabProps, 'environment' | 'reload'>) {
  const targetOrganisationId = useMember().organisation.id;
  return async (changes: Changes) => {
    const body = { targetOrganisationId, environmentId: environment.id, ...changes };
    await browserSession.call('environments.update', { body });
    reload();
  };
}
