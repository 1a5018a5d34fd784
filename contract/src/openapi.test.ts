import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { declarationOf, endpointNames } from './endpoints.ts';
import { openApiDocument } from './openapi.ts';

const document = openApiDocument();
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods)) as Operation[];

interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  responses: Record<string, { headers: object; content: Record<string, { schema: { $ref?: string } }> }>;
  [key: string]: unknown;
}

const operationOf = (name: string) => operations.find(({ operationId }) => operationId === name)!;

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
      const expected = { none: [], session: ['sessionToken'], any: ['sessionToken', 'apiKey'] };
      expect(schemes, name).toEqual(expected[declarationOf(name).credential]);
      expect(operationOf(name)['x-permission'] ?? null, name).toBe(declarationOf(name).permission);
    }
  });

  it('promises the rate limit and the request id on every response', () => {
    for (const { responses } of operations) {
      for (const { headers } of Object.values(responses)) {
        expect(Object.keys(headers)).toEqual(expect.arrayContaining(['RateLimit-Remaining', 'X-Request-Id']));
      }
    }
  });

  it('describes every failure by the one error shape', () => {
    for (const { responses } of operations) {
      const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400);
      expect(failures.length).toBeGreaterThanOrEqual(4);
      for (const [, { content }] of failures) {
        expect(content['application/json']?.schema.$ref).toBe('#/components/schemas/Error');
      }
    }
  });

  it('refers to shapes it defines', () => {
    const text = JSON.stringify(document);
    const { components } = document as unknown as { components: Record<string, Record<string, unknown>> };
    const references = [...text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    for (const [, kind, name] of references) expect(components[kind!]).toHaveProperty(name!);
  });

  it('answers lists of applications by reference', () => {
    const schema = operationOf('applications.list').responses['200']?.content['application/json']?.schema;
    expect(schema).toMatchObject({ properties: { items: { items: { $ref: '#/components/schemas/Application' } } } });
  });
});
