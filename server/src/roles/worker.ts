import { openRoleStore } from './open-role-store.ts';
import type { RoleContext, StopRole } from './run-role.ts';

const CONNECTIONS = 4;

/** The worker runs durable jobs. */
export async function startWorker(context: RoleContext): Promise<StopRole> {
  const store = await openRoleStore(context, 'worker', CONNECTIONS);
  return () => store.close();
}
