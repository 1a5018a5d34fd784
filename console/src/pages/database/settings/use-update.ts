import type { CallInput } from '@lilac/contract/client';
import { browserSession } from '../../../session/browser-session.ts';
import { useAddressed } from '../use-addressed.ts';
import type { SettingsProps } from './settings-tab.tsx';

type Changes = Omit<CallInput<'databases.update'>['body'], 'databaseId' | 'targetOrganisationId'>;

/** Changes what is said, and shows the page as it is then. */
export function useUpdate({ database, onChanged }: SettingsProps): (changes: Changes) => Promise<void> {
  const addressed = useAddressed(database);
  return async (changes) => {
    await browserSession.call('databases.update', { body: { ...addressed, ...changes } });
    onChanged();
  };
}
