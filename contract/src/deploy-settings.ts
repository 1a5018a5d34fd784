import { z } from 'zod';
import { deploymentTypes } from './states.ts';
import { MAX_VARIABLE_NAME, MAX_VARIABLE_VALUE, VARIABLE_NAME } from './variable-limits.ts';

/**
 * What may be said of how a project is built and run: the fields that creating and updating
 * applications and environments share. A rule that needs more than a look at the one value (a path
 * that stays inside, a size the catalogue has) is checked by the handler. What is for containers only is
 * checked and kept on a static application too, and has no effect there.
 */
const command = z.string().min(1).max(4096);
/** Relative, with forward slashes. `.` is the root itself; nothing between the quotes is not given at all. */
const path = z.string().max(1024);

export const branch = z.string().min(1).max(255);
export const hostname = z.string().min(1).max(253);
export const DOMAIN_OF_YOURS = 'a domain of your own that it answers at as well';
export const region = z.string().min(1).max(64).meta({ description: 'one of those that config/platform lists' });

const variableName = z
  .string()
  .max(MAX_VARIABLE_NAME)
  .regex(VARIABLE_NAME)
  .meta({ description: 'ASCII letters, digits and _, with no digit first' });
const variableValue = z.string().max(MAX_VARIABLE_VALUE);

export const variables = z
  .record(variableName, variableValue)
  .meta({ description: 'string values only; arrive byte for byte' });

export const variablesPatch = z
  .record(variableName, variableValue.nullable())
  .meta({ description: 'sets those that are named, removes those that are null, and leaves all others as they are' });

export const projectFields = {
  deploymentType: z.enum(deploymentTypes),
  framework: z
    .string()
    .max(64)
    .regex(/^[a-z0-9][a-z0-9.-]*$/),
  runtime: z.string().min(1).max(64).meta({ description: 'container only' }),
  buildCommand: command.meta({ description: 'detected when left out' }),
  outputDirectory: path.meta({ description: 'static only; detected when left out; `.` is the root itself' }),
  startCommand: command.meta({ description: 'container only; detected when left out' }),
  rootDirectory: path.meta({ description: 'the folder of a monorepo that is deployed' }),
};

export const MEMORY = 'container only; config/containerplatform lists what there is';
export const CPU = 'container only; config/containerplatform/compatible lists what goes with an amount of memory';

export const runFields = {
  containerPort: z.int().min(1).max(65_535).meta({ description: 'container only; detected when left out' }),
  memory: z.string().min(1).max(16).meta({ description: MEMORY }),
  cpu: z.string().min(1).max(16).meta({ description: CPU }),
};

export const scaleFields = {
  minInstances: z.int().min(0).max(5).meta({ description: '0 to 5; above 0 keeps instances warm' }),
  maxInstances: z.int().min(1).max(100).meta({ description: "1 to 100; lowered to the plan's cap" }),
};

/** What a push does. */
export const pushFields = {
  autoDeployOnPush: z.boolean().optional().meta({
    description: 'production follows its branch; on creation true when branches are given and it is left out',
  }),
  autoDeployBranches: z
    .array(z.string().min(1).max(255))
    .max(100)
    .optional()
    .meta({ description: 'globs, one in each: a pushed branch that matches gets an environment of its own' }),
  autoDeleteStaleEnvs: z
    .boolean()
    .optional()
    .meta({ description: 'when a branch is deleted, so are its environments; never production' }),
};
