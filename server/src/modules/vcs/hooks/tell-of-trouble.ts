import type { Tx } from '../../../db/pool.ts';
import { tellApplication } from '../tell-application.ts';
import { notePushTrouble } from './push-trouble-store.ts';

/** Pushes would vanish without a trace: people read why in the application, and once in the log of production. */
export async function tellOfTrouble(
  tx: Tx,
  { applicationId, reason }: { applicationId: string; reason: string },
): Promise<string> {
  const message = `Pushes are not deployed by themselves: ${reason}`;
  if (await notePushTrouble(tx, applicationId, message)) await tellApplication(tx, { applicationId, message });
  return message;
}
