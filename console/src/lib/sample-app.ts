import { browserSession } from '../session/browser-session.ts';
import { firstDeploymentPath } from './first-deployment.ts';
import { sampleFiles } from './sample-app-files.ts';
import { uploadArchive } from './upload-archive.ts';
import { zipFiles } from './zip-files/zip-files.ts';

/** Makes a small site here in the browser and deploys it. Answers the console's page where it can be watched. */
export async function deploySample(targetOrganisationId: string): Promise<string> {
  const files = Object.entries(sampleFiles(new Date()));
  const archive = await zipFiles(files.map(([path, text]) => ({ path, content: new Blob([text]) })));
  const { uploadId } = await uploadArchive(archive, { targetOrganisationId, fileName: 'sample.zip' });
  const { id } = await browserSession.call('applications.create-from-upload', {
    body: { targetOrganisationId, name: 'Hello Lilac', uploadId, deploymentType: 'static' },
  });
  return await firstDeploymentPath({ targetOrganisationId, applicationId: id });
}
