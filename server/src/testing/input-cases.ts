import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import { toInputSchema, type JsonSchema } from '@lilac/contract/json-schema';
import { expect } from 'vitest';
import type { ContractCase } from './access-cases.ts';
import { expectRefusal, fieldsOf } from './contract-subject.ts';
import { oversized } from './unreadable-bodies.ts';

const hasBody = ({ body }: EndpointDeclaration) => body !== undefined;

/** What may be sent, and what is said about the rest to somebody who may call. */
export const inputCases: ContractCase[] = [
  {
    title: '400 VA001 naming the field, for a value of the wrong type in any field',
    applies: (declaration) => Object.keys(fieldsOf(declaration)).length > 0,
    async check({ send, declaration, world: { ours } }) {
      for (const [field, schema] of Object.entries(fieldsOf(declaration))) {
        for (const wrong of wrongValues(schema)) {
          const answer = await send(ours.owner.token, { [field]: wrong });
          expectRefusal(answer, 'VA001', { field, wrong });
          expect(answer.body.message).toMatch(new RegExp(String.raw`^${field}\b`));
        }
      }
    },
  },
  {
    title: '400 VA001 when a required field is missing',
    applies: ({ body }) => body !== undefined && (toInputSchema(body).required ?? []).length > 0,
    async check({ send, declaration, world: { ours } }) {
      for (const field of toInputSchema(declaration.body!).required!) {
        const answer = await send(ours.owner.token, { [field]: undefined });
        expect(answer).toMatchObject({ status: 400, body: { code: 'VA001', message: `${field} is required` } });
      }
    },
  },
  {
    title: '400 VA001 when the body is no object or holds U+0000',
    applies: hasBody,
    async check({ call, send, world: { ours } }) {
      const { token } = ours.owner;
      for (const body of ['5', '"text"', 'null', '[]', 'true'])
        expectRefusal(await call({ token, body }), 'VA001', body);
      expectRefusal(await send(token, { anything: { deep: ['\u0000'] } }), 'VA001');
      expectRefusal(await send(token, { 'a field\u0000': 1 }), 'VA001');
    },
  },
  {
    title: '400 VA001 when an id in the path or the query holds U+0000',
    applies: ({ organisation }) => /^(?:params|query)\./.test(organisation ?? ''),
    async check({ send, declaration, world: { ours } }) {
      const tokens = declaration.credential === 'any' ? [ours.owner.token, ours.adminKey] : [ours.owner.token];
      for (const token of tokens) expectRefusal(await send(token, { targetOrganisationId: 'org\u0000' }), 'VA001');
    },
  },
  {
    title: '413 LM001 for a body of 1 MiB and one byte',
    applies: hasBody,
    async check({ call, world: { ours } }) {
      expectRefusal(await call({ token: ours.owner.token, body: oversized() }), 'LM001');
    },
  },
  {
    title: '400 VA002 for broken JSON',
    applies: hasBody,
    async check({ call, world: { ours } }) {
      for (const body of ['{', '{"a":}', "{'a':1}", '\u0000', '{"a":1}}', ' ']) {
        expectRefusal(await call({ token: ours.owner.token, body }), 'VA002', body);
      }
    },
  },
  {
    title: '415 MT002 for a body that is not JSON',
    applies: hasBody,
    async check({ call, declaration, world: { ours } }) {
      const types = [
        'text/plain',
        'application/xml',
        'multipart/form-data; boundary=x',
        'application/json5',
        'nonsense',
      ];
      if (!declaration.acceptsForm) types.push('application/x-www-form-urlencoded');
      for (const type of types) {
        const answer = await call({ token: ours.owner.token, body: 'a=1', headers: { 'content-type': type } });
        expectRefusal(answer, 'MT002', type);
      }
    },
  },
  {
    title: '405 MT001 with Allow for another method, before anything else is looked at',
    applies: () => true,
    async check({ call, declaration }) {
      for (const method of METHODS.filter((one) => one !== declaration.method)) {
        const answer = await call({ method, body: WITHOUT_BODY.includes(method) ? undefined : '{' });
        expectRefusal(answer, 'MT001', method);
        expect(String(answer.headers['allow']).split(', ')).toContain(declaration.method);
      }
    },
  },
];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
const WITHOUT_BODY = ['GET', 'OPTIONS', 'TRACE'];

const SAMPLES: [type: string, value: unknown][] = [
  ['string', '5'],
  ['number', 5],
  ['boolean', true],
  ['null', null],
  ['object', { a: 1 }],
  ['array', ['a']],
];

function wrongValues(schema: JsonSchema): unknown[] {
  const accepted = new Set((schema.anyOf ?? [schema]).flatMap(({ type }) => type ?? []));
  const isWhole = accepted.has('integer');
  const wrong = SAMPLES.filter(([type]) => !accepted.has(type) && !(isWhole && type === 'number')).map(
    ([, value]) => value,
  );
  if (isWhole) wrong.push(5.5);
  return schema.enum ? [...wrong, 'no such value'] : wrong;
}
