import type Docker from 'dockerode';
import { isConflict, isNotFound } from '../engine-errors.ts';

/** With the steps below it that nobody else has. What an instance still runs stays, and the next sweep finds it. */
export async function removeImage(engine: Docker, name: string): Promise<void> {
  try {
    await engine.getImage(name).remove();
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
}
