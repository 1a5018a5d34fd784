import { uidOf } from '../../server/src/sandbox/uids.ts';
import type { Scene } from '../scene.ts';
import { listTraces } from '../traces.ts';
import type { Expected } from './expected.ts';

/**
 * What builds, instances and databases have left outside of the home. Their users are numbers that are derived or
 * written in a record, so there is no entry to be left of one; what a number owns is. Databases that run have some.
 */
export function leftByUsers({ users }: Expected, { deployer, watch, tracesBefore }: Scene): string[] {
  const gone = [uidOf(deployer.targetOrganisationId), ...watch.databaseUsers()].filter((uid) => !users.has(uid));
  return listTraces()
    .filter(({ name, uid }) => gone.includes(uid) && !tracesBefore.has(name))
    .map(({ name, uid }) => `${name} of user ${uid}`);
}
