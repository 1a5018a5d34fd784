import type { Client } from '@lilac/contract/client';
import type { EndpointName } from '@lilac/contract/endpoints';
import type { Flag } from './flag.ts';
import type { Input } from './input.ts';
import type { Paper } from '../terminal/render.ts';

/** A command that is more than one call. */
export interface OwnCommand {
  words: readonly string[];
  summary: string;
  description: string;
  /** Whose arguments and organisation it takes, and whom it stands behind in the help. */
  endpoint: EndpointName;
  /** The fields of that endpoint it has use for. */
  arguments: readonly string[];
  /** Flags that are its own; what is given comes with the body. */
  flags?: readonly Flag[];
  /** What the words after those are; at least one is needed. Left out, there are none. */
  more?: string;
  /** Null where it has printed what there was to say, as it came. */
  run(run: CommandRun): Promise<CommandOutcome | null>;
}

export interface CommandOutcome {
  /** As JSON it is printed as it is; people are shown what is not empty. */
  answer: Record<string, unknown>;
  /** For people: what it means, or what to do next. */
  note: string;
}

export interface CommandRun {
  client: Client;
  body: Record<string, unknown>;
  /** As `--org` names it or it was found; undefined with a key, which has its own. */
  organisationId: string | undefined;
  /** What came after the arguments. */
  words: readonly string[];
  input: Input;
  isJson: boolean;
  paper: Paper;
  /** Whether a person looks at what is printed. */
  isTerminal: boolean;
  /** To be awaited: who reads may be slower than who writes. */
  print: (text: string) => unknown;
  complain: (text: string) => void;
  /** Aborted when the command is to end. */
  signal: AbortSignal | undefined;
}
