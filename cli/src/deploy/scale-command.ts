import type { Lilac } from '@lilac/sdk';
import { UnexpectedAnswer } from '../frame/answer-watch.ts';
import type { Flag } from '../frame/flag.ts';
import type { CommandOutcome, CommandRun, OwnCommand } from '../frame/own-command.ts';
import { UsageError } from '../frame/usage-error.ts';

const usual = { part: 'body', kind: 'number', isRequired: false, isNullable: false, choices: [] } as const;
const flags: readonly Flag[] = [
  { ...usual, key: 'minInstances', name: 'min', description: '0 to 5; above 0 keeps instances warm' },
  { ...usual, key: 'maxInstances', name: 'max', description: '1 to 100, as the plan allows' },
];

export const scaleCommand: OwnCommand = {
  words: ['scale'],
  summary: 'Set between how many instances an environment runs',
  description: 'Takes effect at once, without a build. Give at least one of the two; the other stays.',
  endpoint: 'environments.scale',
  arguments: ['environmentId'],
  flags,
  run: scale,
};

async function scale({ client, body }: CommandRun): Promise<CommandOutcome> {
  const wanted = body as unknown as Wanted;
  if (wanted.minInstances === undefined && wanted.maxInstances === undefined)
    throw new UsageError('Give --min, --max or both.');
  assertBetween('--min', wanted.minInstances, [0, 5]);
  assertBetween('--max', wanted.maxInstances, [1, 100]);
  const isSite = await isStatic(client, wanted);
  const answer = await client.call('environments.scale', { body: wanted });
  if (![answer.min_instances, answer.max_instances].every(Number.isInteger))
    throw new UnexpectedAnswer('environments.scale');
  if (isSite)
    return { answer, note: 'It is a static site, which runs no instances: the numbers count for servers only.' };
  const { min_instances: least, max_instances: most } = answer;
  const between = least === most ? `${least}` : `${least} to ${most}`;
  const sleeps = least === 0 ? ' Nothing runs while nobody asks, and the first request wakes it.' : '';
  return { answer, note: `It runs with ${between} instances from now on.${sleeps}` };
}

interface Wanted {
  environmentId: string;
  targetOrganisationId?: string;
  minInstances?: number;
  maxInstances?: number;
}

/** For the words alone: where it cannot be read, it is spoken of as a server. */
async function isStatic(client: Lilac, { environmentId, targetOrganisationId }: Wanted): Promise<boolean> {
  const own = { targetOrganisationId };
  try {
    const { application_id: applicationId } = await client.call('environments.get', {
      body: { ...own, environmentId },
    });
    const application = await client.call('applications.get', { body: { ...own, applicationId } });
    return application.deployment_type === 'static';
  } catch {
    return false;
  }
}

function assertBetween(flag: string, value: number | undefined, [least, most]: [number, number]): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
  throw new UsageError(`${flag} is a whole number from ${least} to ${most}, not ${value}.`);
}
