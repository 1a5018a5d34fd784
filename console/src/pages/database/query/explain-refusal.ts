import { ApiError } from '@lilac/contract/client';
import { Refusal } from '../../../lib/refusal.ts';
import { sayDatabase } from '../../../lib/say-database.ts';

const forPrograms = /Run it with readOnly: false[^.]*\./;

interface Asked {
  statement: string;
  canChange: boolean;
}

/** The platform names the field of a call; on the page that is a box to tick, where the role has it. */
export function explainRefusal(error: unknown, { statement, canChange }: Asked): unknown {
  if (!(error instanceof ApiError) || error.code !== 'DB001') return error;
  const advice = canChange ? 'Tick “Let it change data” to allow that.' : 'Your role may only read.';
  return new Refusal(sayDatabase(error.message, statement).replace(forPrograms, advice));
}
