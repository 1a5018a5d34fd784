import { asRefusal } from '../docker/engine.ts';
import { EngineSilent } from '../engine-client.ts';

/** Why a start failed. Tasks do not answer either, at times: of the engine it is said only where it was the engine. */
export function explainStart(error: unknown, dockerSocket: string): unknown {
  const isEngine = error instanceof EngineSilent || (error as { address?: unknown } | null)?.address === dockerSocket;
  return isEngine ? asRefusal(error, dockerSocket) : error;
}
