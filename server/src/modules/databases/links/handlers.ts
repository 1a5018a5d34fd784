import type { databases } from '@lilac/contract/databases';
import type { Handler } from '../../../http/handler.ts';
import type { DatabasesDeps } from '../databases-deps.ts';
import { connectDatabase, disconnectDatabase } from './connect-database.ts';
import { listLinksTo } from './link-store.ts';
import { presentLink } from './present.ts';

type Endpoints = typeof databases;
type LinkEndpoint = `databases.${'connect' | 'disconnect' | 'links'}`;

export function linkHandlers(deps: Pick<DatabasesDeps, 'store' | 'keyring'>): {
  [Name in LinkEndpoint]: Handler<Endpoints[Name]>;
} {
  const { db } = deps.store;
  return {
    'databases.connect': async ({ body: { environmentId, variable }, resource, caller }) =>
      presentLink(await connectDatabase(deps, { database: resource, environmentId, variable, caller })),
    'databases.disconnect': async ({ body: { environmentId, variable }, resource, caller }) => {
      await disconnectDatabase(deps, { database: resource, environmentId, variable, caller });
      return { message: `The next deployment of the environment has no ${variable} any more.` };
    },
    'databases.links': async ({ resource }) => (await listLinksTo(db, resource.id)).map(presentLink),
  };
}
