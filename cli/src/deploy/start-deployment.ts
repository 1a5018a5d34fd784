import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CompletedUpload, Lilac } from '@lilac/sdk';
import { replaceFile } from '../files/replace-file.ts';
import type { Context } from '../frame/context.ts';
import { GaveUp } from '../frame/gave-up.ts';
import { LINK_FILE, writeLink } from '../link/link.ts';
import { plainText } from '../terminal/printable.ts';
import type { Target } from './choose-target.ts';
import { createOnce } from './create-once.ts';
import type { NewSettings } from './wanted.ts';

/** A deployment that is under way. */
export interface Started {
  organisationId: string | undefined;
  applicationId: string;
  applicationName: string;
  environmentId: string;
  deploymentId: string;
  url: string;
  /** Where the application was made by this very deployment: takes the link back. */
  unlink: (() => void) | null;
}

type NewTarget = Extract<Target, { isNew: true }>;
type ExistingTarget = Extract<Target, { isNew: false }>;

/** None of these calls is broken off: what was begun on the platform has to be known here to be taken back. */
export async function createApplication(
  context: Context,
  lilac: Lilac,
  {
    root,
    target,
    upload,
    settings,
  }: { root: string; target: NewTarget; upload: CompletedUpload; settings: NewSettings },
): Promise<Started> {
  const { organisationId, name } = target;
  const own = { targetOrganisationId: organisationId };
  const deploymentType = settings.deploymentType ?? upload.detected?.deploymentType ?? 'static';
  const wanted = { ...own, ...settings, name, uploadId: upload.uploadId, deploymentType };
  const { id: applicationId, url } = await createOnce(lilac, wanted);
  const { environmentId, deploymentId } = await findFirst(lilac, { ...own, applicationId });
  const { apiUrl } = context.platform;
  const unlink = linkFolder(root, {
    apiUrl,
    organisationId,
    applicationId,
    environmentId,
  });
  return {
    organisationId,
    applicationId,
    applicationName: name,
    environmentId,
    deploymentId,
    url,
    unlink,
  };
}

/** What was made with the application. */
async function findFirst(lilac: Lilac, body: { targetOrganisationId: string | undefined; applicationId: string }) {
  const { applicationId, ...own } = body;
  try {
    const { environments } = await lilac.call('applications.get', { body });
    const environmentId = environments.find((each) => each.is_production)!.id;
    const [deployment] = await lilac.call('deployments.list', { body: { ...own, environmentId, limit: 1 } });
    return { environmentId, deploymentId: deployment!.id };
  } catch (error) {
    const why = error instanceof Error ? plainText(error.message) : '';
    throw new GaveUp(
      `The application ${applicationId} was made and is being deployed, but cannot be followed (${why}).\n` +
        `To go on with it: lilac link ${applicationId}. To remove it: lilac apps delete ${applicationId}`,
    );
  }
}

/** A new archive; or the head of the branch, where there is no archive to send. */
export async function deployExisting(
  lilac: Lilac,
  { organisationId, application, environmentId }: ExistingTarget,
  upload: CompletedUpload | null,
): Promise<Started> {
  const body = { targetOrganisationId: organisationId, environmentId };
  const { url } = await lilac.call('environments.get', { body });
  const { id: deploymentId } = await lilac.call('environments.deploy', {
    body: { ...body, ...(upload && { uploadId: upload.uploadId }) },
  });
  const { id: applicationId, name: applicationName } = application;
  return { organisationId, applicationId, applicationName, environmentId, deploymentId, url, unlink: null };
}

/** Answers how to undo it: the file becomes what it was. */
function linkFolder(root: string, link: Parameters<typeof writeLink>[1]): () => void {
  const file = join(root, LINK_FILE);
  const before = existsSync(file) ? readFileSync(file) : null;
  writeLink(root, link);
  return () => (before === null ? rmSync(file, { force: true }) : replaceFile(file, before));
}
