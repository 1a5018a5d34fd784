import type { ActionName } from '../plan.ts';
import type { Act } from './act.ts';
import { createApplication, createDatabase, createFolder, deleteApplication, dropDatabase } from './passing.ts';
import { cancelServer, deployServer, deploySite, rollBackServer, rollBackSite } from './releases.ts';
import { scale, writeVariables } from './settings.ts';
import { rename, wake } from './sleeper.ts';

export const allActions: Record<ActionName, Act> = {
  'deploy-site': deploySite,
  'roll-back-site': rollBackSite,
  'deploy-server': deployServer,
  'roll-back-server': rollBackServer,
  'cancel-server': cancelServer,
  scale,
  'write-variables': writeVariables,
  wake,
  rename,
  'create-database': createDatabase,
  'drop-database': dropDatabase,
  'create-application': createApplication,
  'delete-application': deleteApplication,
  'create-folder': createFolder,
};
