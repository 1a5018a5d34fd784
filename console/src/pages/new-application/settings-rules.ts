import type { DeploymentType } from '@lilac/contract/states';
import type { Variables } from '@lilac/contract/variable-changes';
import type { InputOf, OutputOf } from '../../lib/api-types.ts';
import { nameFramework, nameRuntime } from '../../lib/name-framework.ts';
import type { FormValues } from '../../parts/form.tsx';

export type Detected = OutputOf<'applications.detect-framework'>;

/** What an application from either source can be created with. */
type SharedSettings = Omit<InputOf<'applications.create-from-upload'>, 'targetOrganisationId' | 'uploadId' | 'runtime'>;

/** What only one from a repository can be. */
type RunSettings = Pick<
  InputOf<'applications.create'>,
  'containerPort' | 'memory' | 'cpu' | 'minInstances' | 'maxInstances' | 'autoDeployOnPush'
>;

export interface NewSettings {
  shared: SharedSettings;
  run: RunSettings;
}

interface Filled {
  values: FormValues;
  deploymentType: DeploymentType;
  variables: Variables;
  detected: Detected | null;
}

/**
 * What to send. What was detected and left as it is stays out: then it is detected anew with every build, and
 * follows when the project changes.
 */
export function settingsOf({ values, deploymentType, variables, detected }: Filled): NewSettings {
  const isContainer = deploymentType === 'container';
  const own = (field: 'buildCommand' | 'outputDirectory' | 'startCommand') =>
    given(values[field] === (detected?.[field] ?? '') ? '' : values[field]);
  return {
    shared: clean<SharedSettings>({
      name: values['name']!.trim(),
      deploymentType,
      framework: given(values['framework']),
      buildCommand: own('buildCommand'),
      outputDirectory: isContainer ? undefined : own('outputDirectory'),
      startCommand: isContainer ? own('startCommand') : undefined,
      rootDirectory: given(values['rootDirectory']),
      projectId: given(values['projectId']),
      environmentVars: Object.keys(variables).length > 0 ? variables : undefined,
    }),
    run: clean<RunSettings>({
      ...(isContainer && {
        containerPort: numberOf(values['containerPort']),
        memory: given(values['memory']),
        cpu: given(values['cpu']),
        minInstances: numberOf(values['minInstances']),
        maxInstances: numberOf(values['maxInstances']),
      }),
      autoDeployOnPush: values['autoDeployOnPush'] === undefined ? undefined : true,
    }),
  };
}

/** `my-shop_2` → `my-shop_2`: a name as the API takes it, out of a file's or a repository's. */
export function suggestName(source: string): string {
  return source.replaceAll(/\s+/g, ' ').trim().slice(0, 60);
}

const MAX_LABEL = 63;

/** What the address will begin with, unless somebody else has it. */
export function addressOf(name: string, appsDomain: string, port = ''): string | null {
  const label = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LABEL)
    .replaceAll(/^-+|-+$/g, '');
  return label === '' ? null : `${label}.${appsDomain}${port && `:${port}`}`;
}

/** A server of which nothing says how it is started cannot be deployed; of an image that is its own matter. */
export function lacksStart({ deploymentType, startCommand, runtime }: StartFacts): boolean {
  return deploymentType === 'container' && !startCommand && runtime !== 'docker';
}

type StartFacts = Pick<Detected, 'deploymentType' | 'startCommand' | 'runtime'>;

/** One line for people: what it is, and what would be run to install and to build it. */
export function describeDetected({ framework, runtime, packageManager, ...commands }: Detected): string {
  const { installCommand, buildCommand } = commands;
  const kind = framework ? nameFramework(framework) : runtime ? nameRuntime(runtime) : 'plain files';
  const what = [kind, packageManager].filter(Boolean).join(', ');
  const steps = [installCommand && `installed by ${installCommand}`, buildCommand && `built by ${buildCommand}`];
  return [what, ...steps.filter(Boolean)].join('; ');
}

function given(value: string | undefined): string | undefined {
  return value?.trim() || undefined;
}

function numberOf(value: string | undefined): number | undefined {
  return value?.trim() ? Number(value) : undefined;
}

function clean<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
