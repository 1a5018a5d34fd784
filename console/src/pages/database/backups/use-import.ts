import { useRef, useState } from 'react';
import { Refusal } from '../../../lib/refusal.ts';
import { uploadArchive } from '../../../lib/upload-archive.ts';
import { useAction } from '../../../lib/use-action.ts';
import { browserSession } from '../../../session/browser-session.ts';
import type { Database } from '../../databases/describe-database.ts';
import { useAddressed } from '../use-addressed.ts';
import { dumpTypeOf } from './dump-type.ts';

/** A dump on its way: sent, which can be stopped, then run, which the platform does to its end. */
export function useImport(database: Database, onBegun: () => void) {
  const addressed = useAddressed(database);
  const [percent, setPercent] = useState(0);
  const stopping = useRef(new AbortController());
  const action = useAction(async (file: File) => {
    const { signal } = (stopping.current = new AbortController());
    setPercent(0);
    const { uploadId } = await uploadArchive(file, {
      targetOrganisationId: addressed.targetOrganisationId,
      fileName: file.name,
      contentType: dumpTypeOf(file.name) ?? 'application/sql',
      onProgress: (sent, total) => setPercent(Math.floor((100 * sent) / Math.max(1, total))),
      signal,
    }).catch((error: unknown) => {
      if (signal.aborted) throw new Refusal('You stopped it while the file was sent. Nothing was imported.');
      throw error;
    });
    await browserSession.call('databases.import', { body: { ...addressed, uploadId } });
    onBegun();
  });
  return { ...action, percent, stop: () => stopping.current.abort() };
}
