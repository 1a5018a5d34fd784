import { declarationOf, endpointNames, type EndpointName } from '@lilac/contract/endpoints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectDeclared } from '../testing/declared-answer.ts';
import { startRunningDatabases, type RunningDatabases } from '../testing/running-databases.ts';

/** Values in values in values: what follows them by calling itself has no room for so many. */
let bench: RunningDatabases;
let databaseId: string;
beforeAll(async () => {
  bench = await startRunningDatabases();
  databaseId = await bench.create('postgresql');
});
afterAll(() => bench?.[Symbol.asyncDispose]());

const nests: Record<string, (depth: number) => string> = {
  lists: (depth) => '['.repeat(depth) + ']'.repeat(depth),
  objects: (depth) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth),
};
/** Within the limit of a body. */
const DEPTHS = [600, 10_000, 150_000];

const send = (name: EndpointName, body: string) =>
  bench.api.call(declarationOf(name).path, { token: bench.owner.token, body });

describe.each(Object.keys(nests))('%s in one another', (kind) => {
  it.each(DEPTHS)('%s times are refused wherever a value of any kind is taken', async (depth) => {
    const deep = nests[kind]!(depth);
    const addressed = `"targetOrganisationId":"${bench.owner.organisationId}","databaseId":"${databaseId}"`;
    const bodies: [EndpointName, string][] = [
      ['databases.explorer.query', `{${addressed},"statement":"select $1::jsonb","parameters":[${deep}]}`],
      [
        'databases.explorer.rows',
        `{${addressed},"table":"t","filters":[{"column":"a","operator":"=","value":${deep}}]}`,
      ],
      ['databases.explorer.row', `{${addressed},"table":"t","operation":"insert","values":{"a":${deep}}}`],
    ];
    for (const [name, body] of bodies) {
      const code = expectDeclared(declarationOf(name), await send(name, body));
      expect({ name, code }).toEqual({ name, code: 'VA001' });
      // Nothing else is wrong with it: of the right depth it comes as far as the database.
      const shallow = expectDeclared(declarationOf(name), await send(name, body.replace(deep, '1')));
      expect({ name, shallow }).not.toEqual({ name, shallow: 'VA001' });
    }
  });

  it('are refused by every endpoint that takes a body, in a field that nobody has declared', async () => {
    const body = `{"more":${nests[kind]!(10_000)}}`;
    for (const name of endpointNames.filter((each) => declarationOf(each).body)) {
      const { status } = await send(name, body);
      expect({ name, isRefused: status >= 400 && status < 500 }).toEqual({ name, isRefused: true });
    }
  });

  it('are refused by the MCP server', async () => {
    const params = `{"name":"list_applications","arguments":${nests[kind]!(10_000)}}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    const headers = { accept: 'application/json, text/event-stream' };
    const answer = await bench.api.call('/mcp', { method: 'POST', token: bench.owner.token, body, headers });
    expect(answer.status).toBe(400);
  });
});

it.each([100, 1000, 6000])(
  '%s lists in one another that a database answers with are shown or refused',
  async (depth) => {
    const statement = `select (repeat('[', ${depth}) || repeat(']', ${depth}))::json as a`;
    const body = { targetOrganisationId: bench.owner.organisationId, databaseId, statement };
    const answer = await send('databases.explorer.query', JSON.stringify(body));
    const code = expectDeclared(declarationOf('databases.explorer.query'), answer);
    expect([null, 'DB001', 'VA001']).toContain(code);
  },
);
