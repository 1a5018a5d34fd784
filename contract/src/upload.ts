import { z } from 'zod';
import { id, organisationFields } from './common-shapes.ts';
import { projectFields } from './deploy-settings.ts';
import { destroys, endpoint, writes, writesIdempotently } from './endpoint.ts';
import { inOrganisation } from './scopes.ts';
import { completedUpload, upload as uploadReservation } from './upload-shapes.ts';

export const upload = {
  'upload.request-url': endpoint({
    ...inOrganisation,
    path: '/api/upload/request-url',
    summary: 'Reserve an upload and get the address to PUT the archive to',
    description:
      'PUT the zip to `signedUrl` with the same Content-Type and no Authorization header, then call upload/complete. ' +
      'The archive holds the project at its top level, not inside a single folder. At most 20 uploads of an ' +
      'organisation may be open at a time: complete them, or discard them with upload/cleanup. With the content type ' +
      '`application/sql` or `application/gzip` it is a dump to be imported into a database, and may be larger.',
    permission: 'create:projects',
    body: z.object({
      ...organisationFields,
      fileName: z.string().min(1).max(255).default('source.zip'),
      contentType: z
        .string()
        .max(255)
        .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/)
        .default('application/zip')
        .meta({ description: 'as `application/zip`; must equal the Content-Type of the PUT' }),
      fileSize: z.int().min(1).optional().meta({ description: 'bytes; larger than maxSize is refused' }),
    }),
    output: uploadReservation,
    cli: null,
    mcp: writes,
    errors: ['LM002', 'CF001'],
  }),
  'upload.complete': endpoint({
    ...inOrganisation,
    path: '/api/upload/complete',
    summary: 'Check an uploaded archive and make it ready to deploy',
    permission: 'create:projects',
    resource: { kind: 'upload', field: 'uploadId' },
    body: z.object({
      ...organisationFields,
      uploadId: id,
      detectedFramework: projectFields.framework.optional(),
      detectedRuntime: projectFields.runtime.optional(),
      detectedDeploymentType: projectFields.deploymentType.optional(),
      detectedBuildCommand: projectFields.buildCommand.optional(),
      detectedOutputDirectory: projectFields.outputDirectory.optional(),
    }),
    output: completedUpload,
    cli: null,
    mcp: writesIdempotently,
    errors: ['CF001', 'AR001'],
  }),
  'upload.cleanup': endpoint({
    ...inOrganisation,
    path: '/api/upload/cleanup',
    summary: 'Discard uploads that were reserved and never completed',
    permission: 'create:projects',
    body: z.object({
      ...organisationFields,
      uploadId: id.optional().meta({ description: 'only this one; left out, all of the organisation' }),
    }),
    output: z.object({ removed: z.int() }),
    cli: null,
    mcp: destroys,
  }),
};
