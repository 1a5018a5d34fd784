import type { DatabaseType } from '@lilac/contract/states';
import { EngineRefused } from '../../engines/engine.ts';
import { hostOf } from '../../engines/mysql/account-hosts.ts';
import { invalid } from '../../lib/fault.ts';
import { assertNetwork } from './database.ts';

/** Each once, in the order given; refuses what servers of that type could not be limited to. */
export function readNetworks(given: readonly string[], type: DatabaseType): string[] {
  const networks = [...new Set(given.map(assertNetwork))];
  if (type === 'mysql') networks.forEach(assertHost);
  return networks;
}

function assertHost(network: string): void {
  try {
    hostOf(network);
  } catch (error) {
    throw error instanceof EngineRefused ? invalid(`authorizedNetworks: ${error.message}`) : error;
  }
}
