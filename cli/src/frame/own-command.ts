import type { EndpointName } from '@lilac/contract/endpoints';
import type { Lilac } from '@lilac/sdk';
import type { Context } from './context.ts';
import type { Flag } from './flag.ts';
import type { Paper } from '../terminal/render.ts';

/** A command that is more than one call. */
export interface OwnCommand {
  words: readonly string[];
  summary: string;
  description: string;
  /** Whose arguments and organisation it takes, and whom it stands behind in the help; null: nobody's. */
  endpoint: EndpointName | null;
  /** The fields of that endpoint it has use for. */
  arguments: readonly string[];
  /** Flags that are its own; what is given comes with the body. */
  flags?: readonly Flag[];
  /** What the words after those are; at least one is needed. Left out, there are none. */
  more?: string;
  /**
   * It tidies up when the signal is aborted, and is waited for; a second Ctrl-C ends it all the same. Left out, the
   * first one does.
   */
  tidiesUp?: true;
  /** `--env` says something to it though the endpoint names no environment. */
  takesEnvironment?: true;
  /** It finds the organisation by itself, or needs none. */
  choosesOrganisation?: true;
  /** For how long the platform may be away while it runs; left out, not at all. */
  retryForMs?: number;
  /** Null where it has printed what there was to say, as it came. */
  run(run: CommandRun): Promise<CommandOutcome | null>;
}

export interface CommandOutcome {
  /** As JSON it is printed as it is; people are shown what is not empty. */
  answer: Record<string, unknown>;
  /** For people: what it means, or what to do next. */
  note: string;
}

export interface CommandRun extends Context {
  client: Lilac;
  body: Record<string, unknown>;
  /** As `--org` names it or it was found; undefined with a key, which has its own. */
  organisationId: string | undefined;
  /** What came after the arguments. */
  words: readonly string[];
  paper: Paper;
}
