import { ObjectMissing } from '../objects/object-store.ts';
import { StartRefused } from './runtime.ts';

/** Whoever wanted to start it is told what to do; to try again would not help. */
export function refuseMissing(error: unknown): never {
  if (error instanceof ObjectMissing) throw new StartRefused('The files of this deployment are gone. Deploy it again.');
  throw error;
}
