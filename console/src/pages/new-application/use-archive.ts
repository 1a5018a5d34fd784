import { ApiError } from '@lilac/contract/client';
import { useEffect, useRef, useState } from 'react';
import { canBeAskedAgain } from '../../lib/describe-error.ts';
import type { Dropped } from '../../lib/dropped-file.ts';
import { formatSize } from '../../lib/format-size.ts';
import { uploadArchive } from '../../lib/upload-archive.ts';
import { zipFiles } from '../../lib/zip-files/zip-files.ts';
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
  | { step: 'failed'; error: unknown; problem: string | null; canTryAgain: boolean }
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
    try {
      const archive = await pack(dropped, { signal, show });
      assertSize(archive.size, maxBytes);
      show({ step: 'sending', sentBytes: 0, allBytes: archive.size });
      const onProgress = (sentBytes: number, allBytes: number) => show({ step: 'sending', sentBytes, allBytes });
      const fileName = `${dropped.name}.zip`.slice(-255);
      const upload = await uploadArchive(archive, { targetOrganisationId, fileName, onProgress, signal });
      show({ step: 'ready', upload });
    } catch (error) {
      const problem = problemOf(error);
      show({ step: 'failed', error, problem, canTryAgain: problem === null && canBeAskedAgain(error) });
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

interface Packing {
  signal: AbortSignal;
  show: (state: ArchiveState) => void;
}

async function pack(dropped: Dropped, { signal, show }: Packing): Promise<Blob> {
  if ('archive' in dropped) return dropped.archive;
  const allFiles = dropped.files.length;
  const onProgress = (doneFiles: number) => show({ step: 'packing', doneFiles, allFiles });
  onProgress(0);
  return await zipFiles(dropped.files, { signal, onProgress });
}

function assertSize(size: number, maxBytes: number): void {
  if (size === 0) throw new RangeError('The archive is empty.');
  if (size <= maxBytes) return;
  const sizes = `It has ${formatSize(size)}, and at most ${formatSize(maxBytes)} can be uploaded.`;
  throw new RangeError(`${sizes} Leave out what a build makes anew, or deploy from a repository.`);
}

/** What the platform did not say itself, and what is the matter with the files. */
function problemOf(error: unknown): string | null {
  if (error instanceof ApiError) return null;
  if (error instanceof RangeError) return error.message;
  const isFileGone = error instanceof DOMException && ['NotFoundError', 'NotReadableError'].includes(error.name);
  return isFileGone ? 'A file could not be read: it was changed or removed meanwhile. Choose it again.' : null;
}
