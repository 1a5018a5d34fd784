import { isAway } from '../../runtime/docker/engine-errors.ts';
import { EngineAway, EngineRefused } from '../engine.ts';

/** What the engine or the swarm did not do, as a person can understand it. */
export function asRefused(error: unknown): unknown {
  if (error instanceof EngineRefused || !(error instanceof Error)) return error;
  if (isAway(error)) {
    const { code } = error as NodeJS.ErrnoException;
    return away(`The engine of Docker does not answer (${code ?? error.message}): databases that run go on`, error);
  }
  const { statusCode } = error as { statusCode?: number };
  if (statusCode === undefined) return error;
  const words = `The swarm does not take the server of this database: ${wordsOf(error)}`;
  return statusCode >= 500 ? away(words, error) : new EngineRefused(tryAgain(words), { cause: error });
}

const away = (what: string, cause: Error): EngineAway => new EngineAway(tryAgain(what), { cause });

const tryAgain = (what: string): string => `${what}. It is tried again.`;

/** What a manager said is wrapped into how it was asked. */
const ASKED = /^.*rpc error: code = \w+ desc = /s;

/** What Docker said, without what its client says before it. */
export function wordsOf(error: unknown): string {
  const { json, message } = error as { json?: { message?: string }; message?: string };
  return (json?.message ?? message ?? String(error)).replace(ASKED, '').trim().replace(/\.$/, '');
}
