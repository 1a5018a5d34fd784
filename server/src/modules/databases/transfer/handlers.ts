import type { databases } from '@lilac/contract/databases';
import type { Handler } from '../../../http/handler.ts';
import type { DatabasesDeps } from '../databases-deps.ts';
import { presentCreated, presentState } from '../present.ts';
import { backUpNow } from './back-up.ts';
import { listBackups } from './backup-store.ts';
import { dumpDatabase } from './dump-database.ts';
import { importDatabase } from './import-database.ts';
import { presentBackup } from './present.ts';
import { restoreDatabase } from './restore-database.ts';

type Endpoints = typeof databases;
type TransferEndpoint = `databases.${'dump' | 'import' | 'backups' | 'backup' | 'restore'}`;

export function transferHandlers(deps: DatabasesDeps): { [Name in TransferEndpoint]: Handler<Endpoints[Name]> } {
  const { db } = deps.store;
  return {
    'databases.dump': ({ resource, caller, response: { signal } }) =>
      dumpDatabase(deps, { database: resource, caller, signal }),
    'databases.import': async ({ body: { uploadId }, resource, caller }) =>
      presentState(await importDatabase(deps, { database: resource, uploadId, caller })),
    'databases.backups': async ({ resource }) => (await listBackups(db, resource.id)).map(presentBackup),
    'databases.backup': async ({ resource, caller }) =>
      presentBackup(await backUpNow(db, { database: resource, caller })),
    'databases.restore': async ({ body: { backupId, name, tier, storageGb }, resource, caller }) =>
      presentCreated(await restoreDatabase(deps, { database: resource, backupId, name, tier, storageGb, caller })),
  };
}
