import { z } from 'zod';

/** A JSON Schema as plain data. */
export interface JsonSchema {
  type?: string | string[];
  format?: string;
  description?: string;
  default?: unknown;
  examples?: unknown[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema | JsonSchema[];
  prefixItems?: JsonSchema[];
  anyOf?: JsonSchema[];
  additionalProperties?: boolean | JsonSchema;
  [keyword: string]: unknown;
}

/** What a caller may send, for Ajv: defaults make a field optional. */
export function toInputSchema(schema: z.ZodType): JsonSchema {
  return convert(schema, { io: 'input', target: 'draft-7' });
}

/**
 * What an answer looks like, for the serialiser: the structure only. Bounds and patterns would cost
 * time on every answer and prove nothing to the caller; whatever is not declared is left out.
 */
export function toSerialiserSchema(schema: z.ZodType): JsonSchema {
  return structureOf(convert(schema, { io: 'output', target: 'draft-7' }));
}

/** For the OpenAPI 3.1 document. */
export function toDocumentSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return readable(convert(schema, { io, target: 'draft-2020-12' }));
}

function convert(
  schema: z.ZodType,
  options: { io: 'input' | 'output'; target: 'draft-7' | 'draft-2020-12' },
): JsonSchema {
  const { $schema: _, '~standard': __, ...rest } = z.toJSONSchema(schema, options) as JsonSchema;
  return rest;
}

const STRUCTURAL = ['type', 'properties', 'required', 'items', 'const', 'anyOf'] as const;

function structureOf(schema: JsonSchema): JsonSchema {
  const structure: JsonSchema = {};
  for (const keyword of STRUCTURAL) {
    if (schema[keyword] !== undefined) structure[keyword] = schema[keyword] as never;
  }
  if (schema.format === 'date-time') structure.format = schema.format;
  if (typeof schema.additionalProperties === 'object') {
    structure.additionalProperties = structureOf(schema.additionalProperties);
  }
  return withNullAsType(mapChildren(structure, structureOf));
}

/** `anyOf: [X, null]` would be decided by validating; a list of types is decided by looking. */
function withNullAsType(schema: JsonSchema): JsonSchema {
  const [first, second, ...more] = schema.anyOf ?? [];
  if (!first || second?.type !== 'null' || more.length > 0 || typeof first.type !== 'string') return schema;
  return { ...first, type: [first.type, 'null'] };
}

function readable(schema: JsonSchema): JsonSchema {
  const { additionalProperties, pattern, ...rest } = mapChildren(schema, readable);
  return {
    ...rest,
    // An answer may gain fields later, so the document does not promise that there are no others.
    ...(additionalProperties ? { additionalProperties } : {}),
    // A format says the same as its pattern, in a word.
    ...(pattern && !rest.format ? { pattern } : {}),
  };
}

function mapChildren(schema: JsonSchema, change: (child: JsonSchema) => JsonSchema): JsonSchema {
  const changed = { ...schema };
  if (schema.properties) {
    changed.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, child]) => [key, change(child)]),
    );
  }
  if (schema.items) changed.items = Array.isArray(schema.items) ? schema.items.map(change) : change(schema.items);
  if (schema.prefixItems) changed.prefixItems = schema.prefixItems.map(change);
  if (schema.anyOf) changed.anyOf = schema.anyOf.map(change);
  return changed;
}
