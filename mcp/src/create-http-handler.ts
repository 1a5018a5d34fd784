import { createLilac } from '@lilac/sdk';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createServer } from './create-server.ts';
import { createQuestions } from './questions.ts';

export interface HttpHandlerOptions {
  /** Where the platform is. */
  baseUrl: string;
  /** Aborted when the process ends. */
  stopping: AbortSignal;
  onError: (error: Error) => void;
  /** Seals what a person is asked; the same in every process, as the answer may come to another. */
  questionKey: Uint8Array;
}

/** Whoever sent a message. */
export interface HttpCaller {
  /** An API key or an access token; whether it is good is for the platform to say. */
  token: string;
  /** How the platform is asked. */
  fetch: typeof fetch;
  isReadOnly: boolean;
  /** Aborted when they wait no longer. */
  gone: AbortSignal;
}

export type AnswerMessage = (message: Request, body: unknown, caller: HttpCaller) => Promise<Response>;

/** Every message has a server of its own, which leaves nothing behind: any number of processes may answer. */
export function createHttpHandler(options: HttpHandlerOptions): AnswerMessage {
  const { baseUrl, stopping, onError } = options;
  const questions = createQuestions(options.questionKey);
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { token, fetch, isReadOnly, gone } = authInfo!.extra!['caller'] as HttpCaller;
      // What is inside is there, or will not be there in a moment either.
      const lilac = createLilac({ baseUrl, token, fetch, retryForMs: 0 });
      return createServer({ lilac, questions, isReadOnly, stopping: AbortSignal.any([stopping, gone]) });
    },
    // Lists of tools never change while the platform runs: there is nothing to subscribe to.
    { onerror: onError, maxSubscriptions: 0 },
  );
  return (message, body, caller) =>
    handler.fetch(message, {
      parsedBody: body,
      authInfo: { token: caller.token, clientId: '', scopes: [], extra: { caller } },
    });
}
