import type { Tx } from '../../db/pool.ts';
import type { UploadRow } from '../../db/schema.ts';
import { conflict, notFound } from '../../lib/fault.ts';
import { isDump, whyNotReady } from './upload.ts';
import { holdUpload, markConsumed } from './upload-store.ts';

interface Wanted {
  uploadId: string;
  organisationId: string;
}

/** Takes an archive for a deployment, in the transaction that makes the deployment: one of many gets it. */
export async function consumeUpload(tx: Tx, wanted: Wanted): Promise<UploadRow> {
  const upload = await holdReady(tx, wanted);
  if (isDump(upload.content_type)) throw conflict(DUMP_IS_NO_ARCHIVE);
  return markConsumed(tx, upload.id);
}

/** The same for a file that is imported into a database. */
export async function consumeDump(tx: Tx, wanted: Wanted): Promise<UploadRow> {
  const upload = await holdReady(tx, wanted);
  if (!isDump(upload.content_type)) throw conflict(ARCHIVE_IS_NO_DUMP);
  return markConsumed(tx, upload.id);
}

const DUMP_IS_NO_ARCHIVE =
  'This upload is a dump of a database, which cannot be deployed. Upload the project as a zip, or import this one with databases/import.';
const ARCHIVE_IS_NO_DUMP =
  'This upload is an archive to deploy. To import a dump, ask for an upload with the content type application/sql or application/gzip.';

async function holdReady(tx: Tx, wanted: Wanted): Promise<UploadRow> {
  const upload = await holdUpload(tx, wanted);
  if (!upload) throw notFound('Upload');
  if (upload.status !== 'ready') throw whyNotReady(upload);
  return upload;
}
