import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';

type Json = Record<string, unknown>;

const remembered = new WeakMap<z.ZodObject, StandardSchemaWithJSON<Json, Json>>();

/** Every request has a server of its own, but what the schemas say is written only once. */
export function remembering(schema: z.ZodObject): StandardSchemaWithJSON<Json, Json> {
  const known = remembered.get(schema);
  if (known) return known;
  const standard = schema['~standard'] as unknown as StandardSchemaWithJSON<Json, Json>['~standard'];
  const { jsonSchema } = standard;
  const made: StandardSchemaWithJSON<Json, Json> = {
    '~standard': {
      ...standard,
      jsonSchema: { input: once(jsonSchema.input), output: once(jsonSchema.output) },
    },
  };
  remembered.set(schema, made);
  return made;
}

function once<Options>(write: (options: Options) => Json): (options: Options) => Json {
  let written: Json | undefined;
  return (options) => {
    if (written) return written;
    // Every list of tools says it some seventy times; where it is left out, the same is meant.
    const { $schema: _dialect, ...schema } = write(options);
    return (written = portable(schema) as Json);
  };
}

/** Several types in one are legal, but some models' own schemas know only one: `anyOf` says the same to all. */
function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const said = Object.entries(schema).filter(([key, value]) => !isBoundOfNumbers(key, value));
  const { type, ...rest } = Object.fromEntries(said.map(([key, value]) => [key, portable(value)]));
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest };
  const { description, ...shape } = rest;
  const anyOf = type.map((one: unknown) => (one === 'null' ? { type: one } : { type: one, ...shape }));
  return { anyOf, ...(description !== undefined && { description }) };
}

/** That a whole number is one that programs can hold says nothing to an assistant. */
function isBoundOfNumbers(key: string, value: unknown): boolean {
  return (key === 'maximum' || key === 'minimum') && Math.abs(value as number) === Number.MAX_SAFE_INTEGER;
}
