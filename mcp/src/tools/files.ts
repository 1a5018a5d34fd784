import { deploymentTypes } from '@lilac/contract/states';
import { z } from 'zod';
import { packFiles } from '../pack-files.ts';
import { Refused } from '../confirm.ts';
import { defineTool, type ToolCall } from '../define-tool.ts';
import { deploymentOutcome, followDeployment } from '../deployment-outcome.ts';
import { followFirstDeployment } from '../first-deployment.ts';
import { environmentId, organisationField, waitField } from '../fields.ts';

const MAX_FILES = 200;

const file = z.object({
  path: z.string().min(1).max(500).describe('Relative, with forward slashes, as src/index.js.'),
  content: z.string(),
  encoding: z.enum(['utf8', 'base64']).default('utf8').describe('base64 for what is not text.'),
});

export const fileTools = [
  defineTool({
    name: 'deploy_files',
    title: 'Deploy files',
    description:
      'Deploy a small project from files given here, without a repository: a new application when name is given, or a new version of an environment whose source is an upload when environmentId is given. The files are the whole project; what is not among them is not there. At most 200 files and 512 KiB; for larger projects use "lilac deploy" or a repository.',
    access: 'write',
    overwrites: true,
    input: z.object({
      ...organisationField,
      name: z.string().min(1).max(100).optional().describe('Of the new application; a part of its address.'),
      environmentId: environmentId.optional().describe('In place of name: the environment to deploy to.'),
      files: z.array(file).min(1).max(MAX_FILES),
      deploymentType: z.enum(deploymentTypes).optional().describe('Of a new application. Left out: detected.'),
      buildCommand: z.string().min(1).max(4096).optional().describe('Of a new application. Left out: detected.'),
      outputDirectory: z.string().max(1024).optional().describe('Of a new static application. Left out: detected.'),
      startCommand: z.string().min(1).max(4096).optional().describe('Of a new server. Left out: detected.'),
      ...waitField,
    }),
    output: deploymentOutcome.extend({ application_id: z.string() }),
    async run(call) {
      const { name, environmentId, files, waitSeconds } = call.input;
      if ((name === undefined) === (environmentId === undefined)) {
        throw new Refused('Give either name, for a new application, or environmentId, for a new version of one.');
      }
      if (environmentId !== undefined) assertNoSettings(call.input);
      const archive = await packFiles(files);
      if (environmentId !== undefined) return await deployVersion(call, { environmentId, archive, waitSeconds });
      return await createApplication(call, { ...call.input, name: name!, archive });
    },
  }),
];

const OF_NEW_APPLICATIONS = ['deploymentType', 'buildCommand', 'outputDirectory', 'startCommand'] as const;

/** An environment is built as its application says. */
function assertNoSettings(input: Partial<Record<(typeof OF_NEW_APPLICATIONS)[number], string>>): void {
  const given = OF_NEW_APPLICATIONS.filter((name) => input[name] !== undefined);
  if (given.length === 0) return;
  throw new Refused(
    `${given.join(', ')}: only for a new application. Leave it out: the environment is built as before. ` +
      'A person can change that in the settings of the application, in the console.',
  );
}

interface NewApplication {
  name: string;
  archive: Blob;
  deploymentType?: (typeof deploymentTypes)[number] | undefined;
  buildCommand?: string | undefined;
  outputDirectory?: string | undefined;
  startCommand?: string | undefined;
  waitSeconds: number;
}

async function createApplication(call: ToolCall, { archive, waitSeconds, ...wanted }: NewApplication) {
  const { lilac, targetOrganisationId, signal } = call;
  const { name, buildCommand, outputDirectory, startCommand } = wanted;
  const { uploadId, detected } = await lilac.upload(archive, { targetOrganisationId, signal });
  const deploymentType = wanted.deploymentType ?? detected?.deploymentType ?? 'static';
  const body = { targetOrganisationId, name, uploadId, deploymentType, buildCommand, outputDirectory, startCommand };
  const { id } = await lilac.call('applications.create-from-upload', { body, signal });
  return await followFirstDeployment(call, id, waitSeconds);
}

interface NewVersion {
  environmentId: string;
  archive: Blob;
  waitSeconds: number;
}

async function deployVersion(call: ToolCall, { environmentId, archive, waitSeconds }: NewVersion) {
  const { lilac, targetOrganisationId, signal } = call;
  const body = { targetOrganisationId, environmentId };
  const { application_id: applicationId } = await lilac.call('environments.get', { body, signal });
  const { source_type: sourceType } = await lilac.call('applications.get', {
    body: { targetOrganisationId, applicationId },
    signal,
  });
  if (sourceType !== 'upload') {
    throw new Refused('This environment follows a repository: push there and call deploy_environment.');
  }
  const { uploadId } = await lilac.upload(archive, { targetOrganisationId, signal });
  const { id } = await lilac.call('environments.deploy', { body: { ...body, uploadId }, signal });
  return { ...(await followDeployment(call, id, waitSeconds)), application_id: applicationId };
}
