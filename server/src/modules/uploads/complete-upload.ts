import type { UploadRow } from '../../db/schema.ts';
import { conflict, Fault, notFound } from '../../lib/fault.ts';
import { ObjectMissing } from '../../objects/object-store.ts';
import { detectUpload, type UploadHints } from './detect-upload.ts';
import { inspectDump } from './inspect-dump.ts';
import { COMPLETION_GRACE_MS, hasExpired, isDump } from './upload.ts';
import { findUpload, markReady } from './upload-store.ts';
import type { UploadsDeps } from './uploads-deps.ts';

/**
 * Looks through the archive and makes it ready to deploy. Calling it again is harmless, and so is
 * calling it twice at once: looking takes no lock, and one of them makes the step. What was looked at
 * is what will be built, for the address takes no second PUT while there is an archive.
 */
export async function completeUpload(
  deps: Pick<UploadsDeps, 'store' | 'objects' | 'clock'>,
  upload: UploadRow,
  hints: UploadHints,
): Promise<UploadRow> {
  const { store, objects, clock } = deps;
  if (upload.status !== 'reserved') return answerAgain(upload);
  if (clock.now().getTime() > upload.expires_at.getTime() + COMPLETION_GRACE_MS) throw hasExpired();
  const found = await objects.stat(upload.storage_path);
  if (!found) throw nothingCame();
  const detected = await detectOrDiscard(deps, upload, hints);
  const ready = await markReady(store.db, upload.id, { size: found.size, detected, completedAt: clock.now() });
  if (ready) return ready;
  const current = await findUpload(store.db, upload.id);
  if (!current) throw notFound('Upload');
  return answerAgain(current);
}

/** A refused archive is removed, so that the same address takes a mended one as long as it lives. */
async function detectOrDiscard(
  { objects }: Pick<UploadsDeps, 'objects'>,
  { storage_path: key, content_type: contentType, organisation_id: owner }: UploadRow,
  hints: UploadHints,
): Promise<object | null> {
  try {
    if (isDump(contentType)) return await inspectDump({ objects, key, contentType });
    return await detectUpload({ objects, key }, { owner, hints });
  } catch (error) {
    if (error instanceof ObjectMissing) throw nothingCame();
    if (error instanceof Fault && error.code === 'AR001') await objects.remove(key);
    throw error;
  }
}

function answerAgain(upload: UploadRow): UploadRow {
  if (upload.status === 'expired') throw hasExpired();
  return upload;
}

const nothingCame = () =>
  conflict('No archive has come yet. PUT it to signedUrl with the same Content-Type, then call upload/complete again.');
