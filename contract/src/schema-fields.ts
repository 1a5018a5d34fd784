import type { JsonSchema } from './json-schema.ts';

/** One line of a table of fields. */
export interface Field {
  /** `items[].name`: where it stands. */
  path: string;
  type: string;
  isRequired: boolean;
  notes: string;
}

/** The shapes that a value may have: one, or several where the schema is a union. */
export function alternativesOf(schema: JsonSchema): JsonSchema[] {
  return schema.anyOf && !isNullable(schema) ? schema.anyOf : [schema];
}

/** The fields of an object, or of what a list holds, as a flat table. */
export function fieldsOf(schema: JsonSchema, prefix = ''): Field[] {
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 1) {
    // Any other alternative may do without them.
    return alternatives.flatMap((option) => fieldsOf(option, prefix).map((field) => ({ ...field, isRequired: false })));
  }
  const shape = isNullable(schema) ? schema.anyOf![0]! : schema;
  if (shape.type === 'array' && isObject(shape.items)) return fieldsOf(shape.items, `${prefix}[]`);
  return Object.entries(shape.properties ?? {}).flatMap(([name, child]) => {
    const path = prefix ? `${prefix}.${name}` : name;
    const isRequired = shape.required?.includes(name) ?? false;
    return [{ path, type: typeOf(child), isRequired, notes: notesOf(child) }, ...fieldsOf(child, path)];
  });
}

function isNullable({ anyOf }: JsonSchema): boolean {
  return anyOf?.length === 2 && anyOf[1]!.type === 'null';
}

function isObject(schema: JsonSchema['items']): schema is JsonSchema {
  return typeof schema === 'object' && !Array.isArray(schema);
}

export function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.type === 'array') return isObject(schema.items) ? `${typeOf(schema.items)}[]` : 'array';
  if (schema.format === 'date-time') return 'timestamp';
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') {
    return `object of ${typeOf(schema.additionalProperties)}`;
  }
  return [schema.type ?? 'any'].flat().join(' or ');
}

function notesOf(schema: JsonSchema): string {
  const { description, default: preset, minLength, maxLength } = schema;
  const notes = description ? [description] : [];
  if (preset !== undefined) notes.push(`default ${JSON.stringify(preset)}`);
  if (maxLength !== undefined && !description)
    notes.push(`${Number(minLength ?? 0)} to ${Number(maxLength)} characters`);
  return notes.join('; ');
}
