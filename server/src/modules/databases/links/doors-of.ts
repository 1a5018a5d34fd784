import type { DatabaseRow, DatabaseServerRow } from '../../../db/schema.ts';
import type { DatabaseDoor } from '../../../runtime/runtime.ts';

export type DoorDatabase = Pick<
  DatabaseRow,
  'id' | 'organisation_id' | 'port' | 'public_ip_enabled' | 'authorized_networks'
>;
export type DoorServer = Pick<DatabaseServerRow, 'database_id' | 'port'>;

/**
 * Every instance of this machine may come where everybody may; otherwise only the organisation's own, which are not
 * among the networks that a person can name. All its servers' ports count beside its own, so that instances reach
 * whichever becomes the primary in its first moment.
 */
export function doorsOf(databases: readonly DoorDatabase[], servers: readonly DoorServer[]): DatabaseDoor[] {
  const byDatabase = Map.groupBy(servers, ({ database_id }) => database_id);
  return databases.flatMap(({ id, organisation_id, port, public_ip_enabled: isPublic, authorized_networks }) => {
    const ports = new Set([port, ...(byDatabase.get(id) ?? []).map((server) => server.port)]);
    const organisationId = isPublic && authorized_networks.length === 0 ? null : organisation_id;
    return [...ports].map((each) => ({ port: each, organisationId, isPrivate: !isPublic }));
  });
}
