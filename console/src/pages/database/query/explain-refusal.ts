import { ApiError } from '@lilac/contract/client';
import { Refusal } from '../../../lib/refusal.ts';

const forPrograms = /Run it with readOnly: false[^.]*\./;

/** The platform names the field of a call; on the page that is a box to tick, where the role has it. */
export function explainRefusal(error: unknown, canChange: boolean): unknown {
  if (!(error instanceof ApiError) || !forPrograms.test(error.message)) return error;
  const advice = canChange ? 'Tick “Let it change data” to allow that.' : 'Your role may only read.';
  return new Refusal(error.message.replace(forPrograms, advice));
}
