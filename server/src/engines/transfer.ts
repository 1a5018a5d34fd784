import { EngineRefused } from './engine.ts';

export interface DumpSummary {
  tables: number;
  rows: number;
}

export interface LoadOptions {
  signal: AbortSignal;
  /** Told now and then how many bytes of the text were read. */
  onProgress?: (bytes: number) => void;
  /**
   * PostgreSQL: told the transaction that everything happens in, before anything is written; `hasCommitted` answers
   * later whether it was committed. MySQL has none for definitions, and tells nothing.
   */
  onTransaction?: (id: string) => Promise<void>;
  /** PostgreSQL: told as soon as all of it is in; what comes then only makes the first questions faster. */
  onCommitted?: () => Promise<void>;
}

export interface LoadSummary {
  statements: number;
  rows: number;
}

/** The text is at fault, not the platform; the message says which line, and why. */
export class LoadFailed extends Error {}

/** The database holds what no dump can: trying again does not help, and its owner has to change it. */
export class CannotBeDumped extends EngineRefused {}

/** A backup that this server cannot take in: trying again does not help. */
export class CannotBeRestored extends EngineRefused {}

/** The server ended the session at a statement: the server was stopped, or the statement did it. */
export class SessionLost extends EngineRefused {
  readonly line: number;

  constructor(line: number, words: string, cause: unknown) {
    super(`The server of this database ended the session: ${words}`, { cause });
    this.line = line;
  }
}
