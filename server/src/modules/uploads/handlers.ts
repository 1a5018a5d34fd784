import type { HandlersFor } from '../../http/handler.ts';
import { assertFramework } from '../catalogue/frameworks.ts';
import { completeUpload } from './complete-upload.ts';
import { discardUploads } from './discard-uploads.ts';
import { presentCompleted } from './present.ts';
import { reserveUpload } from './reserve-upload.ts';
import type { UploadsDeps } from './uploads-deps.ts';

export function uploadHandlers(deps: UploadsDeps): HandlersFor<'upload'> {
  return {
    'upload.request-url': ({ body, organisation }) => reserveUpload(deps, organisation.id, body),
    'upload.complete': async ({ body, resource }) => {
      if (body.detectedFramework !== undefined) assertFramework('detectedFramework', body.detectedFramework);
      const completed = await completeUpload(deps, resource, {
        framework: body.detectedFramework,
        runtime: body.detectedRuntime,
        deploymentType: body.detectedDeploymentType,
        buildCommand: body.detectedBuildCommand,
        outputDirectory: body.detectedOutputDirectory,
      });
      return presentCompleted(completed);
    },
    'upload.cleanup': async ({ body: { uploadId }, organisation }) => ({
      removed: await discardUploads(deps, { organisationId: organisation.id, uploadId }),
    }),
  };
}
