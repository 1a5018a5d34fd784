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
  return (options) => (written ??= write(options));
}
