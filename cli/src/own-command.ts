import type { Client } from '@lilac/contract/client';
import type { EndpointName } from '@lilac/contract/endpoints';
import type { Input } from './input.ts';

/** A command that is more than one call. */
export interface OwnCommand {
  words: readonly string[];
  summary: string;
  description: string;
  /** Whose arguments and organisation it takes, and whom it stands behind in the help. */
  endpoint: EndpointName;
  /** The fields of that endpoint it has use for. */
  arguments: readonly string[];
  /** What the words after those are; at least one is needed. */
  more: string;
  run(run: CommandRun): Promise<CommandOutcome>;
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
  /** What came after the arguments. */
  words: readonly string[];
  input: Input;
}
