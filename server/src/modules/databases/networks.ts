import { EngineRefused, type Engine } from '../../engines/engine.ts';
import { invalid } from '../../lib/fault.ts';
import { assertNetwork } from './database.ts';

/** Each once, in the order given; refuses what servers of that engine could not be limited to. */
export function readNetworks(given: readonly string[], engine: Pick<Engine, 'assertNetwork'>): string[] {
  const networks = [...new Set(given.map(assertNetwork))];
  for (const network of networks) assertLimit(engine, network);
  return networks;
}

function assertLimit(engine: Pick<Engine, 'assertNetwork'>, network: string): void {
  try {
    engine.assertNetwork(network);
  } catch (error) {
    throw error instanceof EngineRefused ? invalid(`authorizedNetworks: ${error.message}`) : error;
  }
}
