import { deploymentTypes, gitProviders } from '@lilac/contract/states';
import { detectedProject } from '@lilac/contract/upload-shapes';
import { z } from 'zod';
import { deploymentOutcome } from '../deployment-outcome.ts';
import { defineTool } from '../define-tool.ts';
import { followFirstDeployment } from '../first-deployment.ts';
import { organisationField, waitField } from '../fields.ts';

const variables = z.record(z.string(), z.string()).optional().describe('Environment variables. Never shown again.');

export const repositoryTools = [
  defineTool({
    name: 'detect_framework',
    title: 'Look how a repository would be built',
    description:
      'Look into a repository and tell how it would be built: framework, static or container, commands. Use it before create_application.',
    access: 'read',
    looksOutside: true,
    input: z.object({
      ...organisationField,
      owner: z.string().min(1).max(255).describe('The user or group the repository belongs to.'),
      repo: z.string().min(1).max(255),
      branch: z.string().min(1).max(255).default('main'),
      rootDirectory: z.string().max(1024).optional().describe('The folder of a monorepo that is deployed.'),
      gitProvider: z
        .enum(gitProviders)
        .optional()
        .describe('Which of the three repository hosts; provider1 when left out.'),
    }),
    output: detectedProject,
    async run({ input: where, lilac, targetOrganisationId, signal }) {
      return await lilac.call('applications.detect-framework', { body: { targetOrganisationId, ...where }, signal });
    },
  }),
  defineTool({
    name: 'create_application',
    title: 'Create an application from a repository',
    description:
      'Create an application from a repository, with its production environment, and start the first build. Not to be repeated blindly: after a timeout call list_applications first. For files without a repository use deploy_files.',
    access: 'write',
    looksOutside: true,
    input: z.object({
      ...organisationField,
      name: z.string().min(1).max(100).describe('Becomes a part of its address.'),
      repositoryUrl: z.string().min(1).max(2048).describe('As https://host/owner/repository.'),
      branch: z.string().min(1).max(255).default('main').describe('The branch of production.'),
      deploymentType: z
        .enum(deploymentTypes)
        .default('static')
        .describe('static: files are served. container: a server runs. detect_framework tells which.'),
      framework: z.string().max(64).optional(),
      buildCommand: z.string().max(4096).optional().describe('Left out: detected.'),
      outputDirectory: z.string().max(1024).optional().describe('Static only. Left out: detected.'),
      startCommand: z.string().max(4096).optional().describe('Container only. Left out: detected.'),
      rootDirectory: z.string().max(1024).optional().describe('The folder of a monorepo that is deployed.'),
      isPrivate: z.boolean().default(false).describe('Needs a repository host that is connected to the organisation.'),
      autoDeployOnPush: z.boolean().optional().describe('Deploy production at every push.'),
      variables,
      ...waitField,
    }),
    output: deploymentOutcome.extend({ application_id: z.string() }),
    async run(call) {
      const { lilac, targetOrganisationId, signal } = call;
      const { waitSeconds, repositoryUrl, branch, variables, ...settings } = call.input;
      const body = {
        targetOrganisationId,
        ...settings,
        vcsRepoUrl: repositoryUrl,
        vcsBranch: branch,
        environmentVars: variables,
      };
      const { id } = await lilac.call('applications.create', { body, signal });
      return await followFirstDeployment(call, id, waitSeconds);
    },
  }),
];
