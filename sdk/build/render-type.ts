import type { JsonSchema } from '@lilac/contract/json-schema';

/** A JSON Schema as a TypeScript type. Throws at what it does not know, so that no type is a guess. */
export function renderType(schema: JsonSchema, indent = ''): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? (schema['oneOf'] as JsonSchema[] | undefined);
  if (choices) return [...new Set(choices.map((choice) => renderType(choice, indent)))].join(' | ');
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => renderType({ ...schema, type }, indent)).join(' | ');
  }
  return renderNamed(schema, indent);
}

function renderNamed(schema: JsonSchema, indent: string): string {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return renderArray(schema, indent);
    case 'object':
      return renderObject(schema, indent);
    case undefined:
      if (Object.keys(schema).every((keyword) => SAYS_NOTHING.has(keyword))) return 'unknown';
  }
  throw new Error(`No type is known for ${JSON.stringify(schema)}`);
}

/** Keywords beside which a schema without a type takes anything. */
const SAYS_NOTHING = new Set(['description', 'default', 'examples']);

function renderArray({ items, prefixItems }: JsonSchema, indent: string): string {
  const fixed = prefixItems ?? (Array.isArray(items) ? items : null);
  if (fixed) return `[${fixed.map((item) => renderType(item, indent)).join(', ')}]`;
  const item = items ? renderType(items as JsonSchema, indent) : 'unknown';
  return / \| /.test(item) ? `(${item})[]` : `${item}[]`;
}

function renderObject({ properties = {}, required = [], additionalProperties }: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = /^[\w$]+$/.test(name) ? name : JSON.stringify(name);
    return `${renderNote(field.description, inner)}${inner}${key}${required.includes(name) ? '' : '?'}: ${renderType(field, inner)};\n`;
  });
  if (fields.length > 0) return `{\n${fields.join('')}${indent}}`;
  if (typeof additionalProperties !== 'object') return 'object';
  return `Record<string, ${renderType(additionalProperties, indent)}>`;
}

export function renderNote(text: string | undefined, indent: string): string {
  return text ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : '';
}
