import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { id, timestamp } from './common-shapes.ts';
import { toDocumentSchema, toInputSchema, toSerialiserSchema } from './json-schema.ts';

const shape = z.object({ id: id.nullable(), at: timestamp.nullable(), kind: z.enum(['a', 'b']).default('a') });

describe('toInputSchema', () => {
  it('does not ask for what has a default', () => {
    expect(toInputSchema(shape).required).toEqual(['id', 'at']);
    expect(toInputSchema(shape).additionalProperties).toBeUndefined();
  });
});

describe('toSerialiserSchema', () => {
  it('keeps the structure and drops what would be checked on every answer', () => {
    expect(toSerialiserSchema(shape)).toEqual({
      type: 'object',
      properties: {
        id: { type: ['string', 'null'] },
        at: { type: ['string', 'null'], format: 'date-time' },
        kind: { type: 'string' },
      },
      required: ['id', 'at', 'kind'],
    });
  });

  it('keeps alternatives apart by their required fields', () => {
    const union = z.union([z.object({ a: z.string() }), z.object({ b: z.literal(true) })]);
    expect(toSerialiserSchema(union).anyOf).toEqual([
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { type: 'object', properties: { b: { type: 'boolean', const: true } }, required: ['b'] },
    ]);
  });
});

describe('toDocumentSchema', () => {
  it('promises nothing about further fields, and says a format in a word', () => {
    const schema = toDocumentSchema(z.object({ at: timestamp }), 'output');
    expect(schema.additionalProperties).toBeUndefined();
    expect(schema.properties?.['at']).toEqual({ type: 'string', format: 'date-time', description: 'RFC 3339, UTC' });
  });
});
