import type { BodyOf } from '@lilac/contract/endpoint';
import type { Endpoints } from '@lilac/contract/endpoints';
import type { ApplicationRow, UploadRow } from '../../db/schema.ts';
import { DEFAULT_SCALING, fitScaling } from '../environments/scaling.ts';
import { assertVariables } from '../environments/variables.ts';
import { consumeUpload } from '../uploads/consume-upload.ts';
import type { UploadFindings } from '../uploads/detect-upload.ts';
import type { ApplicationsDeps } from './applications-deps.ts';
import type { ApplicationRequest } from './create-application.ts';
import { foundApplication } from './found-application.ts';
import { readProjectSettings, type ProjectColumns } from './project-settings.ts';

type Body = BodyOf<Endpoints['applications.create-from-upload']>;

/** The archive is spent by the same transaction: whatever refuses the application leaves it ready. */
export function createFromUpload(
  deps: Pick<ApplicationsDeps, 'store' | 'config' | 'keyring'>,
  { organisation, caller, body, resource }: ApplicationRequest<Body> & { resource: UploadRow },
): Promise<ApplicationRow> {
  const organisationId = organisation.id;
  const variables = body.environmentVars ?? {};
  assertVariables(variables);
  const settings = readSettings(body, resource.detected as UploadFindings | null);
  const scaling = fitScaling(organisation.plan, DEFAULT_SCALING);
  return deps.store.db.transaction().execute(async (tx) => {
    const upload = await consumeUpload(tx, { uploadId: body.uploadId, organisationId });
    return foundApplication(tx, deps, {
      organisationId,
      folderId: body.projectId ?? null,
      application: { ...settings, name: body.name.trim(), source_type: 'upload' },
      production: scaling,
      domain: null,
      variables,
      uploadId: upload.id,
      caller,
    });
  });
}

/**
 * What is given now wins over the hints the upload came with; what was only seen is shown until a build
 * has looked, unless it was seen in another folder.
 */
function readSettings(body: Body, found: UploadFindings | null): ProjectColumns {
  const settings = readProjectSettings({ ...found?.hints, ...body });
  if (settings.is_framework_given || settings.root_directory !== null) return settings;
  return { ...settings, framework: found?.framework ?? settings.framework };
}
