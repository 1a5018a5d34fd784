import type { CallInput } from '@lilac/contract/client';
import { deploymentTypes } from '@lilac/contract/states';
import { type Flag, switchFlag } from '../frame/flag.ts';
import { UsageError } from '../frame/usage-error.ts';

const usual = { part: 'body', kind: 'text', isRequired: false, isNullable: false, choices: [] } as const;

export const deployFlags: readonly Flag[] = [
  {
    ...usual,
    key: 'folder',
    name: 'folder',
    isPositional: true,
    description: 'what is deployed; left out: the linked folder, or this one',
  },
  { ...usual, key: 'app', name: 'app', description: 'the application to deploy to: its id, name or subdomain' },
  { ...usual, key: 'name', name: 'name', description: 'of a new application; left out: the name of the folder' },
  {
    ...usual,
    key: 'deploymentType',
    name: 'type',
    choices: deploymentTypes,
    description: `of a new application: ${deploymentTypes.join(' | ')}; left out: detected`,
  },
  { ...usual, key: 'framework', name: 'framework', description: 'of a new application; left out: detected' },
  { ...usual, key: 'buildCommand', name: 'build-command', description: 'of a new application; left out: detected' },
  {
    ...usual,
    key: 'outputDirectory',
    name: 'output-directory',
    description: 'of a new application; left out: detected',
  },
  { ...usual, key: 'startCommand', name: 'start-command', description: 'of a new application; left out: detected' },
  {
    ...usual,
    key: 'rootDirectory',
    name: 'root-directory',
    description: 'of a new application: the folder in it to build',
  },
  { ...usual, key: 'projectId', name: 'project-id', description: 'the folder to file a new application under' },
  {
    ...usual,
    key: 'environmentVars',
    name: 'var',
    kind: 'pairs',
    description: 'NAME=value: a variable of a new application; "lilac env" changes those of others',
  },
  switchFlag('wait', 'only start it', { default: true }),
  {
    ...usual,
    key: 'timeoutMinutes',
    name: 'timeout',
    kind: 'number',
    description: 'minutes to wait at most; default 30',
  },
];

/** What only a new application can be given. */
export type NewSettings = Partial<
  Omit<CallInput<'applications.create-from-upload'>['body'], 'targetOrganisationId' | 'name' | 'uploadId'>
>;

export interface Wanted {
  folder: string | undefined;
  app: string | undefined;
  name: string | undefined;
  settings: NewSettings;
  waits: boolean;
  timeoutMs: number | undefined;
}

const MINUTE_MS = 60_000;

export function readWanted(body: Record<string, unknown>): Wanted {
  const { folder, app, name, wait, timeoutMinutes, ...settings } = body as NewSettings & {
    folder?: string;
    app?: string;
    name?: string;
    wait?: boolean;
    timeoutMinutes?: number;
  };
  if (timeoutMinutes !== undefined && !(timeoutMinutes > 0)) throw new UsageError('--timeout is more than 0 minutes.');
  if (app !== undefined && name !== undefined)
    throw new UsageError('--app names an application that is there, and --name a new one: leave one of them out.');
  const timeoutMs = timeoutMinutes === undefined ? undefined : timeoutMinutes * MINUTE_MS;
  return { folder, app, name, settings, waits: wait ?? true, timeoutMs };
}

/** The flags that make no sense for an application that is there already. */
export function flagsForNew({ name, settings }: Wanted): string[] {
  const given = { name, ...settings } as Record<string, unknown>;
  return deployFlags.filter(({ key }) => given[key] !== undefined).map((flag) => `--${flag.name}`);
}
