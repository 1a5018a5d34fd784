import { useEffect, useRef, useState } from 'react';
import { canBeAskedAgain } from '../../lib/describe-error.ts';
import type { Dropped } from '../../lib/dropped-file.ts';
import { packDropped } from '../../lib/pack-dropped.ts';
import { Refusal } from '../../lib/refusal.ts';
import { uploadArchive } from '../../lib/upload-archive.ts';
import type { Detected } from './settings-rules.ts';

interface ReadyArchive {
  uploadId: string;
  size: number;
  detected: Detected | null;
}

export type ArchiveState =
  | { step: 'waiting' }
  | { step: 'packing'; doneFiles: number; allFiles: number }
  | { step: 'sending'; sentBytes: number; allBytes: number }
  | { step: 'failed'; error: unknown; canTryAgain: boolean }
  | { step: 'ready'; upload: ReadyArchive };

interface ArchiveOptions {
  targetOrganisationId: string;
  maxBytes: number;
}

/** What was dropped, on its way: packed, sent, looked into. */
export function useArchive({ targetOrganisationId, maxBytes }: ArchiveOptions) {
  const [state, setState] = useState<ArchiveState>({ step: 'waiting' });
  const stopping = useRef<AbortController | null>(null);
  const start = async (dropped: Dropped) => {
    stopping.current?.abort();
    const { signal } = (stopping.current = new AbortController());
    const show = (next: ArchiveState) => signal.aborted || setState(next);
    const showSent = (sentBytes: number, allBytes: number) => show({ step: 'sending', sentBytes, allBytes });
    const showPacked = (doneFiles: number) =>
      'files' in dropped && show({ step: 'packing', doneFiles, allFiles: dropped.files.length });
    try {
      // At once, so that nothing else is taken meanwhile.
      if ('archive' in dropped) showSent(0, dropped.archive.size);
      showPacked(0);
      const archive = await packDropped(dropped, { maxBytes, signal, onProgress: showPacked });
      showSent(0, archive.size);
      const fileName = `${dropped.name}.zip`;
      const upload = await uploadArchive(archive, { targetOrganisationId, fileName, onProgress: showSent, signal });
      show({ step: 'ready', upload });
    } catch (error) {
      // The same files would be refused again.
      show({ step: 'failed', error, canTryAgain: !(error instanceof Refusal) && canBeAskedAgain(error) });
    }
  };
  // Whoever leaves the page leaves nothing behind that goes on sending.
  useEffect(() => () => stopping.current?.abort(), []);
  const cancel = () => {
    stopping.current?.abort();
    setState({ step: 'waiting' });
  };
  return { state, start, cancel };
}
