import { setTimeout as delay } from 'node:timers/promises';
import type Docker from 'dockerode';
import { isConflict, isNotFound } from '../../runtime/docker/engine-errors.ts';

const LOOK_AGAIN_MS = 25;

/** Harmless when it has ended. */
export async function sendSignal(docker: Docker, id: string, signal: NodeJS.Signals): Promise<void> {
  await docker.getContainer(id).kill({ signal }).catch(unlessGoing);
}

/** With every process in it. */
export async function endsWithin(docker: Docker, id: string, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await docker.getContainer(id).inspect().catch(unlessGoing);
    if (!found?.State.Running) return true;
    if (Date.now() > deadline) return false;
    await delay(LOOK_AGAIN_MS);
  }
}

/** The swarm may be removing it at the same moment. */
export async function removeContainer(docker: Docker, id: string): Promise<void> {
  await docker.getContainer(id).remove({ force: true, v: true }).catch(unlessGoing);
}

/** It is gone, or is being removed, or does not run. */
function unlessGoing(error: unknown): undefined {
  if (!isNotFound(error) && !isConflict(error)) throw error;
}
