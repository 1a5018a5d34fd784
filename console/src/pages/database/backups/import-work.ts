import { useSyncExternalStore } from 'react';
import { guardClosing } from '../../../lib/leaving.ts';
import { Refusal } from '../../../lib/refusal.ts';

interface ImportWork {
  /** What was chosen, until the platform has it. */
  file: File | null;
  /** How much of it is sent; null while it is not on its way. */
  percent: number | null;
  error: unknown;
  /** Of the import that was begun here: somebody waits for how it ends. */
  awaitedUploadId: string | null;
}

interface ImportSteps {
  /** Can be stopped. */
  send: (file: File, options: SendOptions) => Promise<{ uploadId: string }>;
  /** Cannot: what is begun the platform does to its end. */
  begin: (uploadId: string) => Promise<unknown>;
}

interface SendOptions {
  onProgress: (sentBytes: number, totalBytes: number) => void;
  signal: AbortSignal;
}

const none: ImportWork = { file: null, percent: null, error: null, awaitedUploadId: null };
const works = new Map<string, ImportWork>();
const stoppings = new Map<string, AbortController>();
const listeners = new Set<() => void>();

/** The import into a database, however often its tab is left: it goes on, and is there for who comes back. */
export function useImportWork(databaseId: string): ImportWork {
  return useSyncExternalStore(listen, () => importWorkOf(databaseId));
}

export function importWorkOf(databaseId: string): ImportWork {
  return works.get(databaseId) ?? none;
}

export function chooseDump(databaseId: string, file: File): void {
  tell(databaseId, { ...importWorkOf(databaseId), file, error: null });
}

export function stopImport(databaseId: string): void {
  stoppings.get(databaseId)?.abort();
}

/** Whoever closes the console while it is sent is asked first. */
export async function runImport(databaseId: string, file: File, { send, begin }: ImportSteps): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  stoppings.set(databaseId, stopping);
  const show = (work: Partial<ImportWork>) =>
    stoppings.get(databaseId) === stopping && tell(databaseId, { ...none, ...work });
  const onProgress = (sent: number, total: number) =>
    show({ file, percent: Math.floor((100 * sent) / Math.max(1, total)) });
  onProgress(0, 1);
  const release = guardClosing('under way');
  try {
    const { uploadId } = await send(file, { onProgress, signal });
    signal.throwIfAborted();
    await begin(uploadId);
    show({ awaitedUploadId: uploadId });
  } catch (error) {
    const stopped = 'You stopped it while the file was sent. Nothing was imported.';
    show({ file, error: signal.aborted ? new Refusal(stopped) : error });
  } finally {
    release();
    if (stoppings.get(databaseId) === stopping) stoppings.delete(databaseId);
  }
}

function tell(databaseId: string, work: ImportWork): void {
  works.set(databaseId, work);
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
