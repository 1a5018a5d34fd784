import type { StableAddresses } from '../../engines/address/stable-address.ts';
import type { DatabaseWorkDeps } from './databases-deps.ts';

/** What jobs ask of the module's other parts. They are called while the job holds the database's lock. */
export interface DatabaseJobsDeps extends Omit<DatabaseWorkDeps, 'objects'> {
  addresses: Pick<StableAddresses, 'point'>;
  standbys: {
    /** Resolves when it follows and commits wait for it. May be repeated after a kill. */
    add(databaseId: string, signal: AbortSignal): Promise<void>;
    remove(databaseId: string): Promise<void>;
  };
  transfers: {
    /** Puts the data in, where it is made from a backup. Every attempt begins anew. */
    restore(databaseId: string, signal: AbortSignal): Promise<void>;
    /** The files of all its backups. */
    removeBackups(databaseId: string): Promise<void>;
  };
  links: {
    /** Applications that it is connected to get instances that know its password of now. */
    renew(databaseId: string, signal: AbortSignal): Promise<void>;
  };
}
