import type { HandlersFor } from '../../http/handler.ts';
import type { DatabasesDeps } from './databases-deps.ts';
import { explorerHandlers } from './explorer/handlers.ts';
import { ownDatabaseHandlers } from './handlers.ts';
import { linkHandlers } from './links/handlers.ts';
import { transferHandlers } from './transfer/handlers.ts';

export function databaseHandlers(deps: DatabasesDeps): HandlersFor<'databases'> {
  return {
    ...ownDatabaseHandlers(deps),
    ...transferHandlers(deps),
    ...linkHandlers(deps),
    ...explorerHandlers(deps),
  };
}
