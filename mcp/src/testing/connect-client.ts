import { randomBytes } from 'node:crypto';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { createLilac, type Lilac } from '@lilac/sdk';
import { createServer } from '../create-server.ts';
import { createQuestions } from '../questions.ts';

export interface Called {
  path: string;
  body: Record<string, unknown>;
}

/** What the platform answers at a path; a status other than 200 with `{ status, body }`, also as a function of the body. */
export type Answers = Record<string, unknown>;

export interface Connected extends AsyncDisposable {
  client: Client;
  called: Called[];
  /** What the person was asked. */
  asked: string[];
  /** The text of the answer, and whether it is a failure. */
  call(name: string, input?: Record<string, unknown>): Promise<{ isError: boolean; text: string; answer: unknown }>;
}

export interface ConnectOptions {
  answers?: Answers;
  isReadOnly?: boolean;
  /** What the person answers when they are asked; left out, the client cannot ask. */
  person?: 'agrees' | 'refuses' | 'says no';
}

/** A client at a server of its own, in front of a platform that answers what it is told to. */
export async function connectClient({ answers = {}, isReadOnly = false, person }: ConnectOptions): Promise<Connected> {
  const called: Called[] = [];
  const asked: string[] = [];
  const questions = createQuestions(randomBytes(32));
  const server = createServer({ lilac: lilacAnswering(answers, called), questions, isReadOnly });
  const options: ClientOptions = person ? { capabilities: { elicitation: { form: {} } } } : {};
  const client = new Client({ name: 'a test', version: '1' }, options);
  if (person) {
    client.setRequestHandler('elicitation/create', ({ params: { message } }) => {
      asked.push(message);
      return person === 'refuses'
        ? { action: 'decline' as const }
        : { action: 'accept' as const, content: { confirm: person === 'agrees' } };
    });
  }
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  await client.connect(clientSide);
  return {
    client,
    called,
    asked,
    async call(name, input = {}) {
      const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: input });
      const [first] = content as { text: string }[];
      return { isError, text: first!.text, answer: structuredContent };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const NOTHING = { status: 404, body: { message: 'Not found.', code: 'NF001' } };

function lilacAnswering(answers: Answers, called: Called[]): Lilac {
  return createLilac({
    baseUrl: 'http://platform.test',
    token: 'lc_test',
    retryForMs: 0,
    async fetch(input, init) {
      const path = new URL(input as string).pathname;
      const sent = JSON.parse((init?.body as string | undefined) ?? '{}') as Called['body'];
      called.push({ path, body: sent });
      const known = answers[path];
      const answer =
        (typeof known === 'function' ? (known as (body: Called['body']) => unknown)(sent) : known) ?? NOTHING;
      const { status, body } = isFailure(answer) ? answer : { status: 200, body: answer };
      return Response.json(body, { status });
    },
  });
}

function isFailure(answer: unknown): answer is { status: number; body: unknown } {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'body' in answer &&
    typeof (answer as { status?: unknown }).status === 'number'
  );
}
