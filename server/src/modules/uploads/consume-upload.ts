import type { Tx } from '../../db/pool.ts';
import type { UploadRow } from '../../db/schema.ts';
import { notFound } from '../../lib/fault.ts';
import { whyNotReady } from './upload.ts';
import { holdUpload, markConsumed } from './upload-store.ts';

/** Takes an archive for a deployment, in the transaction that makes the deployment: one of many gets it. */
export async function consumeUpload(tx: Tx, wanted: { uploadId: string; organisationId: string }): Promise<UploadRow> {
  const upload = await holdUpload(tx, wanted);
  if (!upload) throw notFound('Upload');
  if (upload.status !== 'ready') throw whyNotReady(upload);
  return markConsumed(tx, upload.id);
}
