import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { engineClient } from '../engine-client.ts';
import { StartRefused } from '../runtime.ts';
import { STACK_IMAGE } from '../stack-image.ts';
import { isAway, isNotFound } from './engine-errors.ts';

/** The engine of this machine, by its socket. Nothing is asked of it yet. */
export const openEngine = (socketPath: string): Docker => engineClient(socketPath);

/** Podman answers as Docker does, and does some things otherwise. */
export async function isPodman(engine: Docker): Promise<boolean> {
  const { Components = [] } = (await engine.version()) as { Components?: { Name: string }[] };
  return Components.some(({ Name }) => Name.startsWith('Podman'));
}

const PATIENCE_MS = 5000;

/** What must be done before it can run instances, for a person; null when nothing must. */
export async function findObstacle(
  engine: Docker,
  socketPath: string,
  patienceMs = PATIENCE_MS,
): Promise<string | null> {
  const trouble = await findTrouble(engine, patienceMs);
  return trouble === null ? null : explain(trouble, socketPath);
}

/** `lacking` only where it says so itself: one that is silent now may have everything. */
export async function stateOfEngine(engine: Docker, patienceMs = PATIENCE_MS): Promise<'ready' | 'lacking' | 'silent'> {
  const trouble = await findTrouble(engine, patienceMs);
  if (trouble === null) return 'ready';
  return isMissingImage(trouble) ? 'lacking' : 'silent';
}

/** What comes of asking for the stack image; null where it is there. */
function findTrouble(engine: Docker, patienceMs: number): Promise<unknown> {
  const silence = delay(patienceMs, SILENT, { ref: false });
  const asking = engine
    .getImage(STACK_IMAGE)
    .inspect()
    .then(
      () => null,
      (error: unknown) => error,
    );
  return Promise.race([asking, silence]);
}

const SILENT = Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });

/** What the engine did not do, as a person can do something about it. */
export function asRefusal(error: unknown, socketPath: string): unknown {
  if (error instanceof StartRefused) return error;
  const isKnown = isAway(error) || isMissingImage(error);
  return isKnown ? new StartRefused(explain(error, socketPath)) : error;
}

const isMissingImage = (error: unknown): boolean =>
  isNotFound(error) && /no such image/i.test((error as Error).message ?? '');

function explain(error: unknown, socketPath: string): string {
  if (isMissingImage(error)) {
    return (
      `The engine of Docker lacks the image ${STACK_IMAGE}: ` +
      'make it with `node deploy/stack/make-image.mjs --load`, or build deploy/stack/Dockerfile.'
    );
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EACCES') return `Lilac may not use ${socketPath}: run it as root.`;
  return `The engine of Docker does not answer at ${socketPath} (${code ?? message}): start it, or name another runtime in LILAC_RUNTIME.`;
}
