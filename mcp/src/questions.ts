import { createHash } from 'node:crypto';
import { createRequestStateCodec, type ServerContext } from '@modelcontextprotocol/server';

/** What a person was asked about: an answer counts for the same thing and no other. */
export interface Question {
  tool: string;
  input: Record<string, unknown>;
  consequence: string;
}

export interface Questions {
  /** What goes along with a question, and comes back with the answer. */
  mint(question: Question, context: ServerContext): Promise<string>;
  /** Whether the answer in this request is to this very question, asked by the same caller a short while ago. */
  wasAsked(question: Question, context: ServerContext): Promise<boolean>;
}

/** As long as a person may think about it. */
const ANSWER_WITHIN_SECONDS = 600;

/** Between question and answer nothing is kept here: the client carries a sealed note that it cannot write itself. */
export function createQuestions(key: Uint8Array): Questions {
  const codec = createRequestStateCodec<string>({
    key,
    ttlSeconds: ANSWER_WITHIN_SECONDS,
    bind: ({ http }) => http?.authInfo?.token ?? '',
  });
  return {
    mint: (question, context) => codec.mint(digestOf(question), context),
    async wasAsked(question, context) {
      const note: unknown = context.mcpReq.requestState();
      if (typeof note !== 'string') return false;
      return await codec.verify(note, context).then(
        (digest) => digest === digestOf(question),
        () => false,
      );
    },
  };
}

function digestOf({ tool, input, consequence }: Question): string {
  const sorted = Object.entries(input).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([tool, sorted, consequence]))
    .digest('base64url');
}
