import { EngineRefused } from '../engine.ts';

const REASONS: Readonly<Record<string, string>> = {
  EFBIG: 'its file system takes no file that large',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full',
};

/** What the system said names files and numbers of errors: that is for the log, and the cause tells it there. */
export function refuseStorage(storageGb: number, cause: unknown): EngineRefused {
  const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
  const reason = REASONS[code ?? ''] ?? 'ask its operator, whose log says why';
  return new EngineRefused(`This machine cannot give ${storageGb} GB of storage: ${reason}.`, { cause });
}
