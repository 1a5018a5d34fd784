import { setTimeout as delay } from 'node:timers/promises';
import { CROWDED } from '../../crowded.ts';
import { EngineRefused } from '../../engine.ts';
import { connectAsReader, type ConnectOptions, type Session } from '../connect.ts';
import { isCrowded } from '../health.ts';

const PATIENCE_MS = 60_000;
const LOOK_MS = 200;

/** Places are kept for it from series 16 on. Where all are taken nevertheless it waits until one goes. */
export async function openReader(
  home: string,
  databaseName: string,
  { signal, ...options }: ConnectOptions & { signal: AbortSignal },
): Promise<Session> {
  for (const deadline = Date.now() + PATIENCE_MS; ;) {
    try {
      return await connectAsReader(home, databaseName, options);
    } catch (error) {
      if (!isCrowded(error)) throw error;
      if (Date.now() > deadline) throw new EngineRefused(CROWDED, { cause: error });
      await delay(LOOK_MS, undefined, { signal });
    }
  }
}
