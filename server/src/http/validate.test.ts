import { timestamp } from '@lilac/contract/common-shapes';
import { toInputSchema } from '@lilac/contract/json-schema';
import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { compileValidator, type InputPart } from './validate.ts';

const compile = (schema: z.ZodType, part: InputPart = 'body') => compileValidator(toInputSchema(schema), part);

describe('compileValidator', () => {
  it.each([
    [z.object({ page: z.number() }), { page: '5' }, 'page must be a number'],
    [z.object({ size: z.int() }), { size: 1.5 }, 'size must be a whole number'],
    [z.object({ on: z.boolean() }), { on: 'true' }, 'on must be a boolean'],
    [z.object({ name: z.string().min(1) }), { name: '' }, 'name must not be empty'],
    [z.object({ name: z.string().min(12) }), { name: 'short' }, 'name must have at least 12 characters'],
    [z.object({ name: z.string().max(3) }), { name: 'long' }, 'name must have at most 3 characters'],
    [z.object({ role: z.enum(['user', 'admin']) }), { role: 'owner' }, 'role must be one of user, admin'],
    [z.object({ name: z.string() }), {}, 'name is required'],
    [z.object({ list: z.array(z.object({ a: z.string() })) }), { list: [{ a: 'x' }, {}] }, 'list[1].a is required'],
    [
      z.object({ at: timestamp }),
      { at: '2030-02-30T00:00:00Z' },
      'at must be an RFC 3339 timestamp such as 2030-01-31T12:00:00Z',
    ],
    [z.object({ name: z.string().regex(/\S/) }), { name: ' ' }, 'name must not be blank'],
    [z.object({ name: z.string().regex(/^a/) }), { name: 'b' }, 'name does not have the right form'],
    [
      z.object({ name: z.string().regex(/^a/).meta({ description: 'begins with a' }) }),
      { name: 'b' },
      'name does not have the right form: begins with a',
    ],
    [z.object({ vars: z.record(z.string(), z.string()) }), { vars: { 'A/B~C': 1 } }, 'vars.A/B~C must be a string'],
    [
      z.object({
        vars: z.record(
          z
            .string()
            .regex(/^[A-Z]+$/)
            .meta({ description: 'capitals' }),
          z.string(),
        ),
      }),
      { vars: { GOOD: 'x', 'not "good"': 'x' } },
      String.raw`vars holds the name "not \"good\"", which does not have the right form: capitals`,
    ],
    [
      z.object({ vars: z.record(z.string().max(3), z.string()) }),
      { vars: { ['x'.repeat(1000)]: 'x' } },
      `vars holds the name "${'x'.repeat(64)}…", which must have at most 3 characters`,
    ],
    [z.object({}), [], 'the body must be an object'],
    [z.object({ count: z.number() }), { count: Number.POSITIVE_INFINITY }, 'count must be a number'],
  ])('says what is wrong and where: case %#', (schema, value, message) => {
    expect(compile(schema)(value)).toBe(message);
  });

  it('fills defaults in and leaves unknown fields alone', () => {
    const body = { other: 1 };
    expect(compile(z.object({ page: z.number().default(1) }))(body)).toBeNull();
    expect(body).toEqual({ other: 1, page: 1 });
  });

  it('converts what comes in an address, and nothing else', () => {
    const schema = z.object({ page: z.number() });
    const query = { page: '5' };
    expect(compile(schema, 'query')(query)).toBeNull();
    expect(query).toEqual({ page: 5 });
    expect(compile(schema, 'query')({ page: 'five' })).toBe('page must be a number');
  });

  it.each(['query', 'params'] as const)('refuses a number that is too large to be one, in %s', (part) => {
    const validate = compile(z.object({ page: z.int().min(1) }), part);
    expect(validate({ page: '1e400' })).toMatch(/^page must be <= \d+$/);
    expect(validate({ page: '-1e400' })).toMatch(/^page must be >= 1$/);
  });
});
