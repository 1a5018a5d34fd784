import type { JsonSchema } from '@lilac/contract/json-schema';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFaultLog } from '../testing/fault-log.ts';
import { assertFuzzed, fuzzRuns } from '../testing/fuzz-settings.ts';
import { asJson, hostile, nearlyRightValue, rightValue, wildText } from '../testing/fuzz-values.ts';
import type { Answer } from '../testing/harness.ts';
import { keepingNothingOpen } from '../testing/keeping-nothing.ts';
import { standingOf } from '../testing/standing-of.ts';
import { createWorld, type World } from '../testing/world.ts';

/** What assistants, and whoever says to be one, send to `/mcp`. */
const { log, faults } = createFaultLog();
let world: World | null = null;
let standing: string;
// What goes through changes it: the next test has another world, unless all is there still that it needs.
beforeEach(async () => {
  if (world) return;
  world = await createWorld({ log });
  standing = await standingOf(world.api, world.ours);
});
afterEach(async () => {
  if ((await standingOf(world!.api, world!.ours)) !== standing) await leave();
});
afterAll(() => leave());

async function leave(): Promise<void> {
  await world?.[Symbol.asyncDispose]();
  world = null;
}

const ACCEPT = 'application/json, text/event-stream';
const TOOLS_SHARE = 0.6;

interface Message {
  result?: { isError?: boolean; content?: { text: string }[]; tools?: Tool[] };
  error?: { code: number; message: string };
}
interface Tool {
  name: string;
  inputSchema: JsonSchema;
}

function send(body: string, headers: Record<string, string> = {}): Promise<Answer> {
  return world!.api.call('/mcp', {
    method: 'POST',
    token: world!.ours.adminKey,
    body,
    headers: { accept: ACCEPT, ...headers },
  });
}

/** The messages in an answer, be it one or a stream of them; what else ends lines in a text does not in a stream. */
function messagesIn({ text, headers }: Answer): Message[] {
  if (!String(headers['content-type']).startsWith('text/event-stream')) return [JSON.parse(text || '{}') as Message];
  return Array.from(text.matchAll(/(?<=^|\n)data: ([^\r\n]+)/g), ([, data]) => JSON.parse(data!) as Message);
}

const INTERNAL = -32603;
/** As the language itself complains where nobody thought of what came. */
const BUG = /Cannot read|is not a function|is not iterable|undefined|SV00|It failed:/;

/** Whatever was sent: neither the answer nor what is told inside of it is a fault of ours. */
function expectNoFault(answer: Answer): Message[] {
  const { status, text } = answer;
  expect({ text, isOurFault: status >= 500, faults }).toEqual({ text, isOurFault: false, faults: [] });
  const messages = messagesIn(answer);
  for (const { result, error } of messages) {
    const told = result?.isError ? (result.content ?? []).map((each) => each.text).join('\n') : '';
    const isOurFault = error?.code === INTERNAL || BUG.test(told.replaceAll(RECEIVED, ''));
    expect({ text, isOurFault }).toEqual({ text, isOurFault: false });
  }
  return messages;
}

/** How the form of an argument is refused: it names what came. And no object server takes archives here. */
const RECEIVED = /received undefined|It failed: connect ENOENT \S+objects\.sock/g;

describe('tools', () => {
  let tools: Tool[];
  beforeAll(async () => {
    await using listed = await createWorld();
    const headers = { accept: ACCEPT };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const answer = await listed.api.call('/mcp', { method: 'POST', token: listed.ours.adminKey, body, headers });
    tools = messagesIn(answer)[0]!.result!.tools!;
  });

  it('take nearly right and hostile arguments, and say what is wrong with them', async () => {
    expect(tools.length).toBeGreaterThan(20);
    const untouched: string[] = [];
    const tryOut = async (tool: Tool) => {
      let done = 0;
      await assertFuzzed(
        fc.asyncProperty(argumentsFor(tool), async (given) => {
          const params = { name: tool.name, arguments: given };
          const answer = await send(asJson({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
          for (const { result } of expectNoFault(answer)) if (result && !result.isError) done++;
        }),
        fuzzRuns(12, TOOLS_SHARE / tools.length),
      );
      if (done === 0) untouched.push(tool.name);
      // One of them may have deleted what the next ones are about.
      if ((await standingOf(world!.api, world!.ours)) !== standing) {
        await leave();
        world = await createWorld({ log });
        standing = await standingOf(world.api, world.ours);
      }
    };
    // What each of them leaves would not be much.
    await keepingNothingOpen(async () => {
      for (const tool of tools) await tryOut(tool);
    });
    // Some ask hosts or servers that are not there, or for a yes first.
    expect({ untouched, isMost: untouched.length < tools.length / 2 }).toMatchObject({ isMost: true });
  });
});

it('any message of the protocol is answered', async () => {
  expect.hasAssertions();
  await assertFuzzed(
    fc.asyncProperty(messages, headersOfClients, async (message, headers) => {
      expectNoFault(await send(asJson(message), headers));
    }),
    fuzzRuns(300, 0.3),
  );
});

it('any bytes, methods and credentials are answered', async () => {
  expect.hasAssertions();
  const methods = fc.constantFrom('GET', 'POST', 'DELETE', 'PUT', 'OPTIONS');
  const credentials = fc.oneof(wildText, fc.constantFrom('Bearer ', 'Bearer x', 'Basic eDp5'));
  await assertFuzzed(
    fc.asyncProperty(methods, fc.string({ unit: 'binary' }), credentials, async (method, body, credential) => {
      const authorization = encodeURIComponent(credential.toWellFormed());
      const sent = method === 'POST' || method === 'PUT' ? { body } : {};
      const answer = await world!.api.call('/mcp', { method, ...sent, headers: { accept: ACCEPT, authorization } });
      expect({ text: answer.text, isOurFault: answer.status >= 500 }).toMatchObject({ isOurFault: false });
    }),
    fuzzRuns(150, 0.1),
  );
});

/** Nothing is waited for: nobody works here. */
function argumentsFor({ inputSchema }: Tool): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = inputSchema;
  const isWaiting = Object.hasOwn(properties, 'waitSeconds');
  const schema = {
    ...inputSchema,
    properties: { ...properties, ...(isWaiting && { waitSeconds: { const: 0 } }) },
    required: [...required, ...(isWaiting ? ['waitSeconds'] : [])],
  } as JsonSchema;
  return fc.oneof(
    { weight: 3, arbitrary: rightValue(schema, knownToTools) },
    { weight: 3, arbitrary: nearlyRightValue(schema, knownToTools) },
    hostile,
  );
}

function knownToTools(name: string): fc.Arbitrary<unknown> | undefined {
  const read = OURS[name];
  return read && fc.constant(null).map(() => read(world!));
}

const OURS: Record<string, (world: World) => unknown> = {
  organisationId: ({ ours }) => ours.organisationId,
  applicationId: ({ ours }) => ours.application.id,
  environmentId: ({ ours }) => ours.environment.id,
  deploymentId: ({ ours }) => ours.deployment.id,
  databaseId: ({ ours }) => ours.database.id,
};

const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'resources/subscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'notifications/initialized',
  'notifications/cancelled',
  'server/discover',
  '__proto__',
];

const parameters = fc.oneof(
  hostile,
  fc.dictionary(
    fc.constantFrom('name', 'arguments', 'uri', 'cursor', 'level', 'protocolVersion', 'capabilities', '_meta', 'ref'),
    fc.oneof(hostile, fc.constantFrom('list_applications', 'lilac://docs/index', '2025-06-18', 'info')),
  ),
);
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 6, arbitrary: fc.constant('2.0') }, hostile),
    id: fc.oneof({ weight: 4, arbitrary: fc.nat(9) }, hostile),
    method: fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...METHODS) }, wildText, hostile),
    params: parameters,
    result: hostile,
    error: hostile,
  },
  { requiredKeys: ['jsonrpc', 'method'] },
);
const messages = fc.oneof({ weight: 6, arbitrary: message }, fc.array(message, { maxLength: 25 }), hostile);

const headersOfClients = fc.record(
  {
    'mcp-protocol-version': fc.constantFrom('2025-06-18', '2024-11-05', '1', '', 'x'.repeat(500)),
    'mcp-session-id': fc.constantFrom('x', '', '0'.repeat(2000)),
    accept: fc.constantFrom('*/*', 'application/json', 'text/event-stream', '', ';'),
    'content-type': fc.constantFrom('application/json', 'text/plain', 'application/json; charset=utf-16'),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, string>>;
