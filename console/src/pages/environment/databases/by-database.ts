import type { ConnectedDatabase } from './use-connected.ts';

interface OneDatabase extends Pick<ConnectedDatabase, 'database_id' | 'name' | 'status'> {
  variables: string[];
}

/** Each once, however many variables hold its address; in the order of the first of them. */
export function byDatabase(connected: readonly ConnectedDatabase[]): OneDatabase[] {
  const links = Map.groupBy(connected, ({ database_id }) => database_id);
  return [...links.values()].map((own) => {
    const { database_id, name, status } = own[0]!;
    return { database_id, name, status, variables: own.map(({ variable }) => variable) };
  });
}
