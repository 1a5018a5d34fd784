import { z } from 'zod';
import { environment } from '@lilac/contract/environment-shapes';
import { Refused } from '../confirm.ts';
import { defineTool } from '../define-tool.ts';
import { applicationId, confirmField, environmentId, organisationField } from '../fields.ts';
import { namesLeftOut, someNames } from '../some-names.ts';

export const environmentSummary = environment.pick({
  id: true,
  name: true,
  vcs_branch: true,
  is_production: true,
  status: true,
  url: true,
  custom_domain: true,
  live_deployment_id: true,
  trouble: true,
});

const minInstances = z.int().min(0).max(5).describe('0 lets it sleep when nobody asks; above 0 keeps instances warm.');
const maxInstances = z.int().min(1).max(100).describe("Lowered to the plan's cap.");

export const environmentTools = [
  defineTool({
    name: 'get_environment',
    title: 'Show an environment',
    description:
      'Show an environment: status, address, branch, scaling, what is live, what is wrong with it, and the names of its variables. Values are never shown here.',
    access: 'read',
    input: z.object({ ...organisationField, environmentId }),
    output: environment.extend({ variable_names: z.array(z.string()), ...namesLeftOut }),
    async run({ input: { environmentId }, lilac, targetOrganisationId, signal }) {
      const { environment_vars: variables, ...rest } = await lilac.call('environments.get', {
        body: { targetOrganisationId, environmentId },
        signal,
      });
      const { names, names_left_out } = someNames(Object.keys(variables).toSorted());
      return { ...rest, variable_names: names, names_left_out };
    },
  }),
  defineTool({
    name: 'create_environment',
    title: 'Add an environment',
    description:
      'Add an environment for another branch of an application, with its own address. Nothing is built until deploy_environment is called.',
    access: 'write',
    input: z.object({
      ...organisationField,
      applicationId,
      name: z.string().min(1).max(100).describe('Becomes a part of its address.'),
      branch: z.string().min(1).max(255).describe('The branch it tracks; the repository must have it.'),
      autoDeploy: z.boolean().optional().describe('Deploy at every push.'),
      minInstances: minInstances.optional(),
      maxInstances: maxInstances.optional(),
    }),
    output: environment.pick({ id: true, name: true, vcs_branch: true, status: true, url: true }),
    async run({ input: { branch, ...settings }, lilac, targetOrganisationId, signal }) {
      return await lilac.call('environments.create', {
        body: { targetOrganisationId, ...settings, vcsBranch: branch },
        signal,
      });
    },
  }),
  defineTool({
    name: 'scale_environment',
    title: 'Scale an environment',
    description:
      'Set between how many instances an environment runs. Give at least one of the two. Takes effect at once, without a build.',
    access: 'write',
    overwrites: true,
    isIdempotent: true,
    input: z.object({
      ...organisationField,
      environmentId,
      minInstances: minInstances.optional(),
      maxInstances: maxInstances.optional(),
    }),
    output: environment.pick({ id: true, min_instances: true, max_instances: true }),
    async run({ input: settings, lilac, targetOrganisationId, signal }) {
      return await lilac.call('environments.scale', { body: { targetOrganisationId, ...settings }, signal });
    },
  }),
  defineTool({
    name: 'delete_environment',
    title: 'Delete an environment',
    description:
      'Delete an environment, for good; its address stops at once. Production can only be deleted with its application. The person is asked first.',
    access: 'destroy',
    isIdempotent: true,
    input: z.object({ ...organisationField, environmentId, ...confirmField }),
    output: z.object({ deleted: z.string(), message: z.string() }),
    async run({ input: { environmentId }, lilac, targetOrganisationId, signal, confirm }) {
      const input = { body: { targetOrganisationId, environmentId }, signal };
      const { name, url, is_production: isProduction } = await lilac.call('environments.get', input);
      if (isProduction) {
        throw new Refused(
          'Production goes only together with its application: delete_application. Nothing was changed.',
        );
      }
      await confirm({
        name,
        consequence: `This deletes the environment "${name}" (${url}), for good.`,
        by: 'environments.delete',
      });
      const { message } = await lilac.call('environments.delete', input);
      return { deleted: environmentId, message };
    },
  }),
];
