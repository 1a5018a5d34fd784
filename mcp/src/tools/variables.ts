import { z } from 'zod';
import { Refused } from '../confirm.ts';
import { defineTool } from '../define-tool.ts';
import { environmentId, organisationField } from '../fields.ts';

const variableName = z
  .string()
  .min(1)
  .max(256)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
  .describe('ASCII letters, digits and _, with no digit first.');

export const variableTools = [
  defineTool({
    name: 'list_environment_variables',
    title: 'List environment variables',
    description: 'List the names of the variables of an environment. Values are not shown.',
    access: 'read',
    input: z.object({ ...organisationField, environmentId }),
    output: z.object({ names: z.array(z.string()), count: z.int() }),
    async run({ input: { environmentId }, lilac, targetOrganisationId, signal }) {
      const body = { targetOrganisationId, environmentId };
      const { environment_vars: variables } = await lilac.call('environments.get', { body, signal });
      const names = Object.keys(variables).toSorted();
      return { names, count: names.length };
    },
  }),
  defineTool({
    name: 'set_environment_variables',
    title: 'Set environment variables',
    description:
      'Set or remove variables of an environment; those that are not named stay as they are. They count from the next deployment on: call deploy_environment afterwards. Answers names only.',
    access: 'write',
    overwrites: true,
    isIdempotent: true,
    input: z.object({
      ...organisationField,
      environmentId,
      set: z.record(variableName, z.string().max(65_536)).default({}).describe('Names and their new values.'),
      remove: z.array(variableName).max(500).default([]).describe('Names to remove.'),
    }),
    output: z.object({
      added: z.array(z.string()),
      changed: z.array(z.string()),
      removed: z.array(z.string()),
      count: z.int().describe('How many variables there are now.'),
      next_step: z.string(),
    }),
    async run({ input: { environmentId, set, remove }, lilac, targetOrganisationId, signal }) {
      const names = Object.keys(set);
      if (names.length + remove.length === 0) throw new Refused('Give at least one variable to set or to remove.');
      const both = names.filter((name) => remove.includes(name));
      if (both.length > 0) throw new Refused(`${both.join(', ')}: either set it or remove it, not both.`);
      const body = { targetOrganisationId, environmentId };
      const { environment_vars: before } = await lilac.call('environments.get', { body, signal });
      const environmentVarsPatch = { ...set, ...Object.fromEntries(remove.map((name) => [name, null])) };
      await lilac.call('environments.update', { body: { ...body, environmentVarsPatch }, signal });
      const kept = Object.keys(before).filter((name) => !remove.includes(name));
      return {
        added: names.filter((name) => !Object.hasOwn(before, name)),
        changed: names.filter((name) => Object.hasOwn(before, name) && before[name] !== set[name]),
        removed: remove.filter((name) => Object.hasOwn(before, name)),
        count: new Set([...kept, ...names]).size,
        next_step: 'Call deploy_environment: they count from the next deployment on.',
      };
    },
  }),
  defineTool({
    name: 'reveal_environment_variable',
    title: 'Reveal the value of a variable',
    description:
      'Show the value of one variable of an environment. Values are often passwords: call it only when the person asks for this value.',
    access: 'secret',
    isIdempotent: true,
    input: z.object({ ...organisationField, environmentId, name: variableName }),
    output: z.object({ name: z.string(), value: z.string() }),
    async run({ input: { environmentId, name }, lilac, targetOrganisationId, signal }) {
      const body = { targetOrganisationId, environmentId };
      const { environment_vars: variables } = await lilac.call('environments.get', { body, signal });
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (value === undefined)
        throw new Refused(`There is no variable ${name}. list_environment_variables has the names.`);
      return { name, value };
    },
  }),
];
