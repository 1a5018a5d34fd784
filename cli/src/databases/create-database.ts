import { formatDuration } from '@lilac/contract/format-duration';
import { OWN_ORGANISATION } from '@lilac/contract/scopes';
import type { CallInput, Output } from '@lilac/sdk';
import { GaveUp } from '../frame/gave-up.ts';
import type { CommandOutcome, CommandRun } from '../frame/own-command.ts';
import { preparations } from '../frame/prepare-call.ts';
import { openLine } from '../terminal/open-line.ts';
import { plainText } from '../terminal/printable.ts';

/** Makes a database, and follows it until it can be used. */
export async function createDatabase(run: CommandRun): Promise<CommandOutcome> {
  const { wait = true, ...body } = run.body as CallInput<'databases.create'>['body'] & { wait?: boolean };
  await preparations['databases.create']!({ ...run, body });
  const made = await run.client.call('databases.create', { body });
  if (!wait) return { answer: made, note: `It is being made. To see how far it is: lilac db status ${made.id}` };
  const status = await follow(run, made);
  return {
    answer: { ...made, status },
    note: `To look into it: lilac db connect ${made.id}`,
  };
}

async function follow(
  run: CommandRun,
  { id: databaseId }: { id: string },
): Promise<Output<'databases.status'>['status']> {
  const { client, organisationId: targetOrganisationId = OWN_ORGANISATION, signal } = run;
  using line = openLine(run);
  const startedMs = Date.now();
  const params = { targetOrganisationId, databaseId };
  let told = '';
  for await (const { event, data } of client.stream('databases.stream', { params, signal })) {
    if (event === 'error') throw new GaveUp(`${plainText(data.message)}\nTo remove it: lilac db delete ${databaseId}`);
    if (event === 'done') {
      line.print(`${line.mark('good')} Ready after ${formatDuration(Date.now() - startedMs)}`);
      return data.status;
    }
    const step = data.step.slice(0, 1).toUpperCase() + data.step.slice(1);
    if (step !== told && !line.isLive) line.print(step);
    told = step;
    line.show(() => `${step}, ${data.percent} % ${line.paint('dim', formatDuration(Date.now() - startedMs))}`);
  }
  line.end();
  line.print(
    `The database is made all the same. To see it: lilac db status ${databaseId}; to remove it: lilac db delete ${databaseId}`,
  );
  throw signal?.reason ?? new GaveUp('It could not be followed to its end.');
}
