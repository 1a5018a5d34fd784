import type { databases } from '@lilac/contract/databases';
import { keyRoleHas, roleHas, type KeyRole } from '@lilac/contract/permissions';
import { clampPage } from '../../../db/page.ts';
import type { Caller, Handler, OrganisationAccess } from '../../../http/handler.ts';
import { Fault } from '../../../lib/fault.ts';
import type { DatabasesDeps } from '../databases-deps.ts';
import { noteChange } from './note-change.ts';
import { createExplore } from './open-explorer.ts';
import { readRowChange, readTableChange, readWantedTable } from './read-change.ts';

type Endpoints = typeof databases;
type ExplorerEndpoint = `databases.explorer.${'schema' | 'rows' | 'query' | 'cancel' | 'row' | 'table'}`;

const MAX_ROWS = 1000;
const TIME_LIMIT_MS = 30_000;

export function explorerHandlers(deps: DatabasesDeps): { [Name in ExplorerEndpoint]: Handler<Endpoints[Name]> } {
  const { db } = deps.store;
  const explore = createExplore(deps);
  return {
    'databases.explorer.schema': async ({ body, resource, response: { signal } }) => {
      const wanted = readWantedTable(body);
      const tables = await explore.inTurn(resource, async (explorer) =>
        wanted ? [await explorer.table(wanted, signal)] : explorer.schema(signal),
      );
      return { tables };
    },
    'databases.explorer.rows': async ({ body, resource, response: { signal } }) => {
      const { page, limit } = clampPage(body);
      const { table, schema, sortColumn, sortOrder, filters = [] } = body;
      const wanted = { table, schema, sortColumn, sortOrder, filters, limit, offset: (page - 1) * limit };
      const { rows, total } = await explore.inTurn(resource, (explorer) => explorer.rows(wanted, signal));
      return { items: rows, totalItems: total, totalPages: Math.ceil(total / limit), currentPage: page };
    },
    'databases.explorer.query': async ({ body, resource, caller, organisation, response: { signal } }) => {
      const { statement: text, parameters = [], readOnly, queryId = null } = body;
      if (!readOnly) assertMayChange(caller, organisation);
      if (!readOnly) await noteChange(db, { database: resource, caller, action: 'database_statement_run' });
      const startedAt = performance.now();
      const statement = { text, parameters, readOnly, queryId, maxRows: MAX_ROWS, timeoutMs: TIME_LIMIT_MS };
      const result = await explore.inTurn(resource, (explorer) => explorer.query(statement, signal));
      return { ...result, durationMs: Math.round((performance.now() - startedAt) * 10) / 10 };
    },
    'databases.explorer.cancel': async ({ body: { queryId }, resource }) => ({
      cancelled: await explore.atOnce(resource, (explorer) => explorer.cancel(queryId)),
    }),
    'databases.explorer.row': async ({ body, resource, caller, response: { signal } }) => {
      const change = readRowChange(body);
      const row = await explore.inTurn(resource, (explorer) => explorer.changeRow(change, signal));
      await noteChange(db, { database: resource, caller, action: 'database_row_changed' });
      return { row };
    },
    'databases.explorer.table': async ({ body, resource, caller, response: { signal } }) => {
      const change = readTableChange(body);
      await explore.inTurn(resource, (explorer) => explorer.changeTable(change, signal));
      await noteChange(db, { database: resource, caller, action: 'database_table_changed' });
      return { message: DONE[change.operation] };
    },
  };
}

const DONE = {
  create: 'The table was created.',
  rename: 'The table was renamed.',
  truncate: 'The table was emptied.',
  drop: 'The table was dropped.',
};

/** The endpoint itself asks for no more than reading. */
function assertMayChange({ kind }: Caller, { role }: OrganisationAccess): void {
  const mayChange = kind === 'key' ? keyRoleHas(role as KeyRole, 'update:projects') : roleHas(role, 'update:projects');
  if (!mayChange) throw new Fault('CA005', 'Your role may only read: it cannot run a statement with readOnly: false.');
}
