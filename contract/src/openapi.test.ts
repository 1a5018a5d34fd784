import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { declarationOf, endpointNames } from './endpoints.ts';
import { openApiDocument } from './openapi.ts';

const document = openApiDocument();
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods)) as Operation[];

interface Response {
  headers: object;
  content: Record<string, { schema: { $ref?: string } }>;
}

interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  responses: Record<string, Response | { $ref: string }>;
  [key: string]: unknown;
}

const { components } = document as unknown as { components: Record<string, Record<string, unknown>> };

function responsesOf({ responses }: Operation): { status: number; response: Response }[] {
  return Object.entries(responses).map(([status, response]) => {
    const name = '$ref' in response ? response.$ref.split('/').at(-1)! : null;
    return { status: Number(status), response: (name ? components['responses']?.[name] : response) as Response };
  });
}

const operationOf = (name: string) => operations.find(({ operationId }) => operationId === name)!;

const optionalHeadersOf = (name: string) =>
  ((operationOf(name)['parameters'] ?? []) as { name: string; in: string; required: boolean }[])
    .filter((parameter) => parameter.in === 'header' && !parameter.required)
    .map((parameter) => parameter.name);

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it('has every endpoint once, under its name', () => {
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(endpointNames.toSorted());
  });

  it('asks for a credential exactly where the declaration does', () => {
    for (const name of endpointNames) {
      const schemes = operationOf(name).security.flatMap((option) => Object.keys(option));
      const { credential, permission, stream } = declarationOf(name);
      const usual = { none: [], session: ['sessionToken'], any: ['sessionToken', 'apiKey'] }[credential];
      const expected = stream ? [...usual, 'sessionCookie'] : usual;
      const found = { name, schemes, permission: operationOf(name)['x-permission'] ?? null };
      expect(found).toEqual({ name, schemes: expected, permission });
    }
  });

  it('lets who leads a person to a host leave the organisation out', () => {
    for (const name of ['vcs-app.install', 'provider2.connect', 'provider3.connect']) {
      expect(operationOf(name)['parameters']).toMatchObject([{ name: 'organisationId', in: 'query', required: false }]);
      expect(operationOf(name)['x-infers-organisation']).toBe(true);
    }
  });

  it('has the headers an endpoint heeds, as parameters that may be left out', () => {
    for (const name of ['auth.login', 'auth.login.mfa', 'auth.setup', 'auth.register']) {
      expect([name, optionalHeadersOf(name)]).toEqual([name, ['X-Client-Type']]);
    }
    expect(optionalHeadersOf('auth.refresh')).toEqual(['X-Client-Type', 'Idempotency-Key']);
  });

  it('promises the rate limit and the request id on every response', () => {
    for (const { response } of operations.flatMap(responsesOf)) {
      expect(Object.keys(response.headers)).toEqual(expect.arrayContaining(['RateLimit-Remaining', 'X-Request-Id']));
    }
  });

  it('describes every failure by the one error shape', () => {
    for (const operation of operations) {
      const failures = responsesOf(operation).filter(({ status }) => status >= 400);
      expect(failures.length).toBeGreaterThanOrEqual(4);
      for (const { response } of failures) {
        expect(response.content['application/json']?.schema.$ref).toBe('#/components/schemas/Error');
      }
    }
  });

  it('refers to shapes it defines', () => {
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    for (const [, kind, name] of references) expect(components[kind!]).toHaveProperty(name!);
  });

  it('describes every event of a stream', () => {
    const success = responsesOf(operationOf('logs.stream')).find(({ status }) => status === 200);
    expect(Object.keys(success!.response.content)).toEqual(['text/event-stream']);
    expect(success?.response.content['text/event-stream']?.schema).toMatchObject({
      type: 'string',
      'x-events': { log: { properties: { message: { type: 'string' } } } },
    });
    expect(optionalHeadersOf('logs.stream')).toEqual(['Last-Event-ID']);
  });

  it('answers lists of applications by reference', () => {
    const success = responsesOf(operationOf('applications.list')).find(({ status }) => status === 200);
    expect(success?.response.content['application/json']?.schema).toMatchObject({
      properties: { items: { items: { $ref: '#/components/schemas/Application' } } },
    });
  });
});
