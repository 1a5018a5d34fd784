import type { BodyOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { Plan } from '@lilac/contract/plans';
import type { ApplicationRow, EnvironmentRow } from '../../db/schema.ts';
import type { Action } from '../activity/activity.ts';
import { assertContainerSize } from './container-size.ts';
import { readDirectory } from './directory.ts';
import type { EnvironmentColumns } from './environment-store.ts';
import { assertRegion } from './region.ts';
import { fitScaling } from './scaling.ts';

export type EnvironmentUpdate = BodyOf<Endpoints['environments.update']>;

/**
 * Each group of settings, and what the activity calls a change of it. Names, variables and domains are told apart
 * elsewhere.
 */
const settings = {
  environment_updated: [
    'auto_deploy',
    'build_command',
    'output_directory',
    'container_port',
    'memory',
    'cpu',
    'region',
  ],
  scaling_updated: ['min_instances', 'max_instances'],
} as const satisfies Partial<Record<Action, readonly (keyof EnvironmentRow)[]>>;

type Setting = (typeof settings)[keyof typeof settings][number];
export type SettingColumns = Partial<Pick<EnvironmentRow, Setting>>;

export interface Subject {
  plan: Plan;
  environment: EnvironmentRow;
  application: Pick<ApplicationRow, 'memory' | 'cpu'>;
}

/** Of what was given, the columns that differ from what is there. Null resets to what the application has. */
export function changedSettings(subject: Subject, update: EnvironmentUpdate): SettingColumns {
  const given = { ...readPlain(update), ...readSize(subject, update), ...readScaling(subject, update) };
  const changed = Object.entries(given).filter(
    ([column, value]) => value !== undefined && subject.environment[column as Setting] !== value,
  );
  return Object.fromEntries(changed);
}

/** What the activity shows of the change, an entry for each group that it touches. */
export function actionsOf(columns: EnvironmentColumns): Action[] {
  return (Object.keys(settings) as (keyof typeof settings)[]).filter((action) =>
    settings[action].some((column) => column in columns),
  );
}

function readPlain(update: EnvironmentUpdate): SettingColumns {
  const { outputDirectory, region } = update;
  if (region) assertRegion(region);
  return {
    auto_deploy: update.autoDeploy,
    build_command: update.buildCommand,
    // Nothing between the quotes resets it too; the root itself is written as a dot.
    output_directory: outputDirectory ? readDirectory('outputDirectory', outputDirectory) : unset(outputDirectory),
    container_port: update.containerPort,
    region,
  };
}

const unset = (value: string | null | undefined): null | undefined => (value === undefined ? undefined : null);

function readSize({ environment, application }: Subject, { memory, cpu }: EnvironmentUpdate): SettingColumns {
  if (memory === undefined && cpu === undefined) return {};
  const [nextMemory, nextCpu] = [
    memory === undefined ? environment.memory : memory,
    cpu === undefined ? environment.cpu : cpu,
  ];
  assertContainerSize({ memory: nextMemory ?? application.memory, cpu: nextCpu ?? application.cpu });
  return { memory: nextMemory, cpu: nextCpu };
}

function readScaling(
  { plan, environment }: Subject,
  { minInstances, maxInstances }: EnvironmentUpdate,
): SettingColumns {
  if (minInstances === undefined && maxInstances === undefined) return {};
  return fitScaling(plan, {
    min_instances: minInstances ?? environment.min_instances,
    max_instances: maxInstances ?? environment.max_instances,
  });
}
