import type { DatabaseServerRow } from '../../db/schema.ts';
import { EngineRefused, type Engine } from '../../engines/engine.ts';

/** Trying again does not help. */
export class DataElsewhere extends EngineRefused {}

const WORDS =
  'Its data is not on the host that keeps databases now, and an empty database in its place would hide that. Ask the ' +
  'operator to start that host again, or, on it, to run "lilac admin leaders move databases"; if the data is lost, ' +
  'restore a backup of it into a new database.';

/** A server that was whole once is never made anew: its files are on another host, or lost. */
export async function assertDataHere(
  engine: Pick<Engine, 'list'>,
  { id, is_made }: Pick<DatabaseServerRow, 'id' | 'is_made'>,
): Promise<void> {
  if (is_made && !(await engine.list()).includes(id)) throw new DataElsewhere(WORDS);
}
