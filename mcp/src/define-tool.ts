import type { EndpointName } from '@lilac/contract/endpoints';
import type { Lilac } from '@lilac/sdk';
import type { z } from 'zod';

/**
 * What a tool does to the world.
 * - `read`: nothing.
 * - `secret`: nothing either, but it shows what is kept secret. Left out where only reading is wished: a password
 *   lets whoever has it write.
 * - `write`: it adds or changes. Where it takes something that is not known elsewhere, a person is asked first.
 * - `destroy`: what it takes away does not come back; a person is asked first.
 */
export type ToolAccess = 'read' | 'secret' | 'write' | 'destroy';

export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** For the assistant: what it does, when to use it, what comes next. */
  description: string;
  access: ToolAccess;
  /** Whether calling it twice is the same as calling it once. Left out: as reading is, and nothing else. */
  isIdempotent?: boolean;
  /** Whether it takes the place of something, or stops it, though that can be had back. What destroys does anyway. */
  overwrites?: boolean;
  /** Whether it looks at what is not the platform's: repositories, DNS. */
  looksOutside?: boolean;
  input: Input;
  /** What is answered; a field that is not in it cannot leave. */
  output: Output;
  run(call: ToolCall<OwnInput<z.output<Input>>>): Promise<z.input<Output>>;
}

/** Who is meant and whether it is agreed to is settled before a tool runs. */
export type OwnInput<Input> = Omit<Input, 'organisationId' | 'confirm'>;

/** What a tool has while it runs. */
export interface ToolCall<Input = unknown> {
  input: Input;
  lilac: Lilac;
  /** The organisation that is meant; undefined with an API key, which has its own. */
  targetOrganisationId: string | undefined;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
  /** Tells how far it is, where the client wants to know. */
  progress: (progress: Progress) => void;
  /** Throws when the credential may not call it, to a thing that has an id. `confirm` looks by itself, at last. */
  assertAllowed: (endpoint: EndpointName) => Promise<void>;
  /** Goes on when a person has agreed; throws otherwise. Nothing may have been changed before. */
  confirm: (question: Confirmation) => Promise<void>;
}

export interface Progress {
  step: number;
  steps: number;
  message: string;
}

export interface Confirmation {
  /** What has to be typed where nobody can be asked. */
  name: string;
  /** What will happen, as a sentence. */
  consequence: string;
  /** What does it, to a thing that has an id: who may not call it is refused, and nobody is asked. */
  by: EndpointName;
}

/**
 * Checks a tool against its own schemas, and forgets them, so that tools stand in one list. An argument that it does
 * not have is refused: it was meant for something.
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(tool: Tool<Input, Output>): Tool {
  return { ...tool, input: tool.input.strict() };
}
