import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey, createApplication, createOwner, productionOf } from '../../testing/factories.ts';
import { startApi, type TestApi } from '../../testing/harness.ts';

let api: TestApi;
let organisationId: string;
let token: string;

beforeAll(async () => {
  api = await startApi();
  ({ organisationId } = await createOwner(api));
  token = (await createApiKey(api, { organisationId })).secret;
});
afterAll(() => api[Symbol.asyncDispose]());

type Params = Record<string, unknown>;

const TOOL = 'delete_application';
const VERSION = '2026-07-28';
const agrees = { confirmation: { action: 'accept', content: { confirm: true } } };

async function post(params: Params, headers: Record<string, string>, by = token): Promise<Params> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const accept = 'application/json, text/event-stream';
  const { status, text } = await api.call('/mcp', {
    method: 'POST',
    token: by,
    headers: { accept, ...headers },
    body: message,
  });
  expect({ status, text }).toMatchObject({ status: 200 });
  return (JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as { result: Params }).result;
}

/** As clients of the revision do in which every request says who asks and what they can. */
async function ask(applicationId: string, answers: Params = {}, { by = token, canAsk = true } = {}) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': canAsk ? { elicitation: { form: {} } } : {},
  };
  const headers = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': TOOL };
  const { confirm, ...rest } = answers;
  return await post({ name: TOOL, arguments: { applicationId, confirm }, _meta: meta, ...rest }, headers, by);
}

const anApplication = async (name: string) => (await createApplication(api, { organisationId, name })).id;

/** Nothing works off jobs here: what goes stays as long as that, and says so. */
async function isThere(applicationId: string): Promise<boolean> {
  const { status, body } = await api.call('/api/applications/get', { token, body: { applicationId } });
  return status === 200 && body.status !== 'deleting';
}

describe('a deletion over HTTP', () => {
  it.each(['2025-11-25', '2025-06-18', undefined])(
    'is refused to a client of protocol %s, whatever the assistant spells: whether it can ask is not known',
    async (version) => {
      const applicationId = await anApplication(`Old ${version}`);
      const headers: Record<string, string> = version === undefined ? {} : { 'mcp-protocol-version': version };
      for (const confirm of [undefined, `Old ${version}`]) {
        const result = await post({ name: TOOL, arguments: { applicationId, confirm } }, headers);
        expect(result).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining('lilac mcp') as string }],
        });
      }
      expect(await isThere(applicationId)).toBe(true);
    },
  );

  it('happens when the person was asked and agrees', async () => {
    const applicationId = await anApplication('Asked');
    const asked = await ask(applicationId, { confirm: 'Asked' });
    expect(asked).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) as string });
    expect(await isThere(applicationId)).toBe(true);
    await ask(applicationId, { inputResponses: agrees, requestState: asked['requestState'] });
    expect(await isThere(applicationId)).toBe(false);
  });

  it('does not take an answer to no question, to another question, or of another caller', async () => {
    const [one, other] = [await anApplication('One'), await anApplication('Other')];
    const { secret: anotherKey } = await createApiKey(api, { organisationId });
    const { requestState } = await ask(one);
    const forged = [
      await ask(one, { inputResponses: agrees }),
      await ask(one, { inputResponses: agrees, requestState: 'made up' }),
      await ask(other, { inputResponses: agrees, requestState }),
      await ask(one, { inputResponses: agrees, requestState }, { by: anotherKey }),
    ];
    for (const result of forged) expect(result).toMatchObject({ resultType: 'input_required' });
    expect([await isThere(one), await isThere(other)]).toEqual([true, true]);
  });

  it('needs the exact name where the client says that it cannot ask', async () => {
    const applicationId = await anApplication('Nobody');
    expect(await ask(applicationId, { confirm: 'nobody' }, { canAsk: false })).toMatchObject({ isError: true });
    expect(await isThere(applicationId)).toBe(true);
    await ask(applicationId, { confirm: 'Nobody' }, { canAsk: false });
    expect(await isThere(applicationId)).toBe(false);
  });

  it('is asked of nobody for a key that may only read', async () => {
    const applicationId = await anApplication('Not yours');
    const { secret } = await createApiKey(api, { organisationId, role: 'user' });
    expect(await ask(applicationId, {}, { by: secret })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('CA005') as string }],
    });
  });
});

describe('what is lost of the variables over HTTP', () => {
  it('is spelt by a client of which it is not known whether it can ask', async () => {
    const { id: environmentId } = await productionOf(api, await anApplication('Variables'));
    const set = async (input: Params) =>
      await post({ name: 'set_environment_variables', arguments: { environmentId, ...input } }, {});
    const succeeds = { structuredContent: { count: 1 } };
    expect(await set({ set: { MODE: 'one' } })).toMatchObject(succeeds);
    expect(await set({ set: { MODE: 'two' } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('confirm: "MODE"') as string }],
    });
    expect(await set({ set: { MODE: 'two' }, confirm: 'MODE' })).toMatchObject(succeeds);
  });
});
