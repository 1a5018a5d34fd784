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
  return (options) => (written ??= portable(write(options)) as Json);
}

/** Several types in one are legal, but some models' own schemas know only one: `anyOf` says the same to all. */
function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, ...rest } = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, portable(value)]));
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest };
  const { description, ...shape } = rest;
  const anyOf = type.map((one: unknown) => (one === 'null' ? { type: one } : { type: one, ...shape }));
  return { anyOf, ...(description !== undefined && { description }) };
}
