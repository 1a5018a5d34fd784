import { MAX_VARIABLE_NAME, MAX_VARIABLE_VALUE, VARIABLE_NAME } from '@lilac/contract/variable-limits';
import { z } from 'zod';
import { assertFittingVariables } from '../assert-fitting-variables.ts';
import { assertNotLinked } from '../assert-not-linked.ts';
import { Refused } from '../confirm.ts';
import { defineTool } from '../define-tool.ts';
import { confirmField, environmentId, organisationField } from '../fields.ts';
import { inOwnWords } from '../in-own-words.ts';
import { enumerate } from '../shorten.ts';
import { namesLeftOut, someNames } from '../some-names.ts';
import { changesOf, consequenceOf, spellingOf, type VariableChanges } from '../variable-changes.ts';

const variableName = z
  .string()
  .min(1)
  .max(MAX_VARIABLE_NAME)
  .regex(VARIABLE_NAME)
  .describe('ASCII letters, digits and _, with no digit first.');

export const variableTools = [
  defineTool({
    name: 'list_environment_variables',
    title: 'List environment variables',
    description: 'List the names of the variables of an environment. Values are not shown.',
    access: 'read',
    input: z.object({
      ...organisationField,
      environmentId,
      filter: z.string().max(256).default('').describe('A part of the name; upper and lower case are the same.'),
    }),
    output: z.object({ names: z.array(z.string()), ...namesLeftOut, count: z.int().describe('How many match.') }),
    async run({ input: { environmentId, filter }, lilac, targetOrganisationId, signal }) {
      const body = { targetOrganisationId, environmentId };
      const { environment_vars: variables } = await lilac.call('environments.get', { body, signal });
      const matching = Object.keys(variables).filter((name) => name.toLowerCase().includes(filter.toLowerCase()));
      return { ...someNames(matching.toSorted()), count: matching.length };
    },
  }),
  defineTool({
    name: 'set_environment_variables',
    title: 'Set environment variables',
    description:
      'Set or remove variables of an environment; those that are not named stay as they are. They count from the next deployment on: call deploy_environment afterwards. Answers names only. The person is asked first where something is removed, or another value replaced.',
    access: 'write',
    overwrites: true,
    isIdempotent: true,
    input: z.object({
      ...organisationField,
      environmentId,
      set: z
        .record(variableName, z.string().max(MAX_VARIABLE_VALUE))
        .default({})
        .describe('Names and their new values.'),
      remove: z.array(variableName).max(500).default([]).describe('Names to remove.'),
      ...confirmField,
    }),
    output: z.object({
      added: z.array(z.string()),
      changed: z.array(z.string()),
      removed: z.array(z.string()),
      ...namesLeftOut,
      count: z.int().describe('How many variables there are now.'),
      next_step: z.string(),
    }),
    async run(call) {
      const { lilac, targetOrganisationId, signal } = call;
      const { environmentId, set, remove } = call.input;
      assertChange(Object.keys(set), remove);
      const body = { targetOrganisationId, environmentId };
      const environment = await lilac.call('environments.get', { body, signal });
      const changes = changesOf(environment.environment_vars, { set, remove });
      const lost = [...changes.removed, ...changes.changed];
      // The platform says nothing of an address that is to be removed: it is no variable of the environment's own.
      if (lost.length > 0 || changes.absent.some((name) => remove.includes(name))) {
        await call.assertAllowed('environments.update');
        assertFittingVariables(changes.after);
        await assertNotLinked(call, environmentId, changes.absent);
      }
      if (lost.length > 0) {
        const consequence = consequenceOf(changes, environment);
        await call.confirm({ name: spellingOf(lost), consequence, by: 'environments.update' });
      }
      const environmentVarsPatch = { ...set, ...Object.fromEntries(remove.map((name) => [name, null])) };
      await lilac
        .call('environments.update', { body: { ...body, environmentVarsPatch }, signal })
        .catch(inOwnWords(SETTING));
      return { ...shortened(changes), next_step: 'Call deploy_environment: they count from the next deployment on.' };
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

function assertChange(set: readonly string[], remove: readonly string[]): void {
  if (set.length + remove.length === 0) throw new Refused('Give at least one variable to set or to remove.');
  const both = set.filter((name) => remove.includes(name));
  if (both.length > 0) throw new Refused(`${enumerate(both, 2000)}: either set it or remove it, not both.`);
}

const SETTING = [
  [/environmentVars\w*\.(?=\w+ holds the address)/, ''],
  [/Disconnect the database first, or choose/, 'Disconnect that first by disconnect_database, or choose'],
] as const;

function shortened({ added, changed, removed, count }: VariableChanges) {
  const lists = { added: someNames(added), changed: someNames(changed), removed: someNames(removed) };
  return {
    added: lists.added.names,
    changed: lists.changed.names,
    removed: lists.removed.names,
    names_left_out: Object.values(lists).reduce((sum, { names_left_out }) => sum + names_left_out, 0),
    count,
  };
}
