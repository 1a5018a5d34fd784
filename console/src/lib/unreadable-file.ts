import { ApiError } from '@lilac/contract/client';
import { Refusal } from './refusal.ts';

const GONE = ['NotFoundError', 'NotReadableError'];
const UNREADABLE = 'A file could not be read: it was changed or removed meanwhile. Choose it again.';

/** In words, where a browser could not read a file: it was changed, moved or removed after it was chosen. */
export function sayUnreadable(error: unknown): unknown {
  return error instanceof DOMException && GONE.includes(error.name) ? new Refusal(UNREADABLE) : error;
}

/** To whoever sends a file, one that is gone looks like a connection that broke: only the file itself tells. */
export async function explainUnsent(error: unknown, file: Blob): Promise<unknown> {
  if (error instanceof ApiError) return error;
  try {
    await file.slice(0, 1).arrayBuffer();
    return error;
  } catch (reason) {
    return sayUnreadable(reason);
  }
}
