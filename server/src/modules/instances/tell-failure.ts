import { redactLines } from '../../build/redact.ts';
import { describeFailure, isMachineLost, type Failure } from './crash-record.ts';
import type { EventLog } from './event-log.ts';
import type { Member } from './member.ts';
import type { Subject } from './subject.ts';

/** An instance that was not to go. */
export interface Failed {
  member: Member;
  failure: Failure;
  lines: Promise<string[]>;
}

const TOLD_LINES = 10;

/** What became of the instance; into the deployment's log also what it said last. */
export async function tellFailure(
  events: EventLog,
  { deployment: { id, run, variables } }: Subject,
  { member, failure, lines }: Failed,
): Promise<void> {
  const last = await redactLines((await lines).slice(-TOLD_LINES), variables);
  const severity = isMachineLost(failure) ? 'WARN' : 'ERROR';
  await events.tell(id, { severity, message: describeFailure(member.id, failure, run.memoryMb) }, last);
}
