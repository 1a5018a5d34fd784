import { browserSession } from '../session/browser-session.ts';
import { ALL_DEPLOYMENTS, type Rollback, rollbackOf } from './rollback.ts';

interface EnvironmentAddress {
  targetOrganisationId: string;
  environmentId: string;
}

/** Whether what would be deployed now would undo a rollback. */
export async function lookForRollback(address: EnvironmentAddress): Promise<Rollback | null> {
  return rollbackOf(await browserSession.call('deployments.list', { body: { ...address, limit: ALL_DEPLOYMENTS } }));
}
