import { Fault } from '../../../lib/fault.ts';
import { askAsPerson } from '../connections/ask-as-person.ts';
import type { VcsDeps } from '../vcs-deps.ts';
import { deleteHook, findHook, isHookWanted, type HookedRepository } from './hook-store.ts';

/**
 * Unless an application still waits for its pushes. A hook that nobody here may remove any more stays at the host, and
 * what it tells concerns no application.
 */
export async function removeHook(deps: VcsDeps, of: HookedRepository, signal: AbortSignal): Promise<string> {
  const { db } = deps.store;
  const { repositoryId, provider } = of;
  if (await isHookWanted(db, of)) return 'Another application waits for its pushes.';
  const hook = await findHook(db, of);
  if (!hook) return 'There is none.';
  const { hookId, connection } = hook;
  const host = await deps.hosts.connection(provider);
  if (host && connection) {
    try {
      await askAsPerson(deps, { host, connection, signal }, async (accessToken) => {
        await host.removeHook({ kind: 'person', accessToken }, { repositoryId, hookId }, { signal });
        return true;
      });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      deps.log.info({ provider, repositoryId, reason: error.message }, 'a webhook stays at its host');
    }
  }
  await deleteHook(db, { ...of, hookId });
  return 'It is removed.';
}
