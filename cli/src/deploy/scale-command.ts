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
  const wanted = body as { environmentId: string; minInstances?: number; maxInstances?: number };
  if (wanted.minInstances === undefined && wanted.maxInstances === undefined)
    throw new UsageError('Give --min, --max or both.');
  assertBetween('--min', wanted.minInstances, [0, 5]);
  assertBetween('--max', wanted.maxInstances, [1, 100]);
  const answer = await client.call('environments.scale', { body: wanted });
  const { min_instances: least, max_instances: most } = answer;
  const between = least === most ? `${least}` : `${least} to ${most}`;
  const sleeps = least === 0 ? ' Nothing runs while nobody asks, and the first request wakes it.' : '';
  return { answer, note: `It runs with ${between} instances from now on.${sleeps}` };
}

function assertBetween(flag: string, value: number | undefined, [least, most]: [number, number]): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
  throw new UsageError(`${flag} is a whole number from ${least} to ${most}, not ${value}.`);
}
