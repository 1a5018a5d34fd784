import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toDocumentSchema } from './json-schema.ts';
import { alternativesOf, fieldsOf } from './schema-fields.ts';

const one = z.object({ one: z.string() });
const other = z.object({ other: z.string() });

describe('alternativesOf', () => {
  it('takes a union apart, and leaves a shape that may be null whole', () => {
    expect(alternativesOf(toDocumentSchema(z.union([one, other]), 'output'))).toHaveLength(2);
    expect(alternativesOf(toDocumentSchema(one.nullable(), 'output'))).toHaveLength(1);
  });
});

describe('fieldsOf', () => {
  it('promises nothing of a union inside an object', () => {
    const fields = fieldsOf(toDocumentSchema(z.object({ either: z.union([one, other]) }), 'output'));
    expect(fields.map(({ path, isRequired }) => [path, isRequired])).toEqual([
      ['either', true],
      ['either.one', false],
      ['either.other', false],
    ]);
  });
});
