import type { FoundLink } from '../link/link.ts';
import type { Platform } from '../session/choose-platform.ts';
import type { AnswerWatch } from './answer-watch.ts';
import type { Input } from './input.ts';
import type { Environment, Settings } from './settings.ts';

/** What every command can be told. */
export interface CommonFlags {
  apiUrl?: string | undefined;
  /** An id, a slug or a name. */
  organisation?: string | undefined;
  /** The name of an environment of the application. */
  environment?: string | undefined;
}

/** All that a command stands in. */
export interface Context {
  /** The folder it was called in. */
  cwd: string;
  environment: Environment;
  settings: Settings;
  flags: CommonFlags;
  platform: Platform;
  /** What `lilac.json` in this folder or one above says. */
  link: FoundLink | null;
  input: Input;
  isJson: boolean;
  /** Whether a person looks at what is printed. */
  isTerminal: boolean;
  /** To be awaited: who reads may be slower than who writes. */
  print: (text: string) => unknown;
  complain: (text: string) => void;
  /** Told whatever the platform answers. */
  onAnswer: AnswerWatch['note'];
  /** Aborted when the command is to end. */
  signal: AbortSignal | undefined;
}
