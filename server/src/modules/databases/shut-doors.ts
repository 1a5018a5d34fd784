import type { DatabaseRow } from '../../db/schema.ts';
import type { ServerSpec } from '../../engines/server.ts';

/** As a server that lets nobody in but the platform. */
export const withShutDoors = (spec: ServerSpec): ServerSpec => ({
  ...spec,
  access: { networks: [], instanceNetworks: [], ownAddresses: [] },
});

/**
 * An import into MySQL is not undone by the server: what was there is put back where it fails, and whatever somebody
 * wrote meanwhile would be gone. So nobody gets in until its job lets them, whoever starts the server again.
 */
export const mustBeShut = ({
  database_type,
  status,
  step,
}: Pick<DatabaseRow, 'database_type' | 'status' | 'step'>): boolean =>
  database_type === 'mysql' && status === 'updating' && step === 'importing';
