import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import { toInputSchema, type JsonSchema } from '@lilac/contract/json-schema';

/** Where a value goes in the request. */
export interface Field {
  part: 'body' | 'query' | 'params';
  key: string;
}

export interface Flag extends Field {
  /** Without the dashes: `application-id`. */
  name: string;
  /** One letter, without the dash. */
  short?: string;
  /** A list is said once for each value, or with commas where there are choices; pairs are NAME=value each. */
  kind: 'text' | 'number' | 'switch' | 'list' | 'pairs';
  isRequired: boolean;
  /** Whether it may be given without its name though it need not be given. */
  isPositional?: boolean;
  /** Then the word `null` is no text. */
  isNullable: boolean;
  choices: readonly string[];
  description: string;
}

const parts = ['params', 'query', 'body'] as const;

export function flagsOf(declaration: EndpointDeclaration): Flag[] {
  return parts.flatMap((part) => {
    const schema = declaration[part] && toInputSchema(declaration[part]);
    return Object.entries(schema?.properties ?? {}).map(([key, property]) =>
      toFlag({ part, key }, property, schema?.required?.includes(key) ?? false),
    );
  });
}

function toFlag(field: Field, property: JsonSchema, isRequired: boolean): Flag {
  const value = valueSchemaOf(property);
  const choices = (value.enum ?? itemsOf(value).enum ?? []).map(String);
  return {
    ...field,
    name: field.key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    kind: kindOf(value),
    isRequired,
    isNullable: value !== property,
    choices,
    description: [choices.join(' | '), property.description, defaultOf(property)].filter(Boolean).join('; '),
  };
}

/** What is not null of `X | null`. */
function valueSchemaOf(property: JsonSchema): JsonSchema {
  return property.anyOf?.find((option) => option.type !== 'null') ?? property;
}

function itemsOf({ items }: JsonSchema): JsonSchema {
  return items === undefined || Array.isArray(items) ? {} : items;
}

function kindOf({ type }: JsonSchema): Flag['kind'] {
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'switch';
  if (type === 'object') return 'pairs';
  return type === 'array' ? 'list' : 'text';
}

function defaultOf(property: JsonSchema): string {
  const value = property.default;
  return value === undefined || value === ''
    ? ''
    : `default ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}
