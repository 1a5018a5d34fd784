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
  /**
   * A list is said once for each value, or with commas where there are choices; pairs are NAME=value each; objects are
   * JSON each.
   */
  kind: 'text' | 'number' | 'switch' | 'list' | 'pairs' | 'objects';
  isRequired: boolean;
  /** Whether it may be given without its name though it need not be given. */
  isPositional?: boolean;
  /** Whether nothing at all (`--name ''`) is the empty list, and no value of it. */
  isBlankNone?: boolean;
  /** Then the word `null` is no text. */
  isNullable: boolean;
  choices: readonly string[];
  /** Of a switch: what it is where nobody says. Without it, to leave it out is a third state. */
  default?: boolean;
  description: string;
}

/** Whether it may be repeated. */
export const hasSeveral = ({ kind }: Flag) => kind === 'list' || kind === 'pairs' || kind === 'objects';

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
    name: nameOf(field.key),
    kind: kindOf(value),
    isRequired,
    isBlankNone: itemsOf(value).type === 'string',
    isNullable: value !== property,
    choices,
    ...(typeof property.default === 'boolean' && { default: property.default }),
    description: [choices.join(' | '), property.description, defaultOf(property)].filter(Boolean).join('; '),
  };
}

/** `minInstances` → `min-instances` */
const nameOf = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What is not null of `X | null`. */
function valueSchemaOf(property: JsonSchema): JsonSchema {
  return property.anyOf?.find((option) => option.type !== 'null') ?? property;
}

function itemsOf({ items }: JsonSchema): JsonSchema {
  return items === undefined || Array.isArray(items) ? {} : items;
}

function kindOf(schema: JsonSchema): Flag['kind'] {
  const { type } = schema;
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'switch';
  if (type === 'object') return 'pairs';
  if (type === 'array') return itemsOf(schema).type === 'object' ? 'objects' : 'list';
  return 'text';
}

/** Of a switch, how it is written tells. */
function defaultOf(property: JsonSchema): string {
  const value = property.default;
  return value === undefined || value === '' || typeof value === 'boolean'
    ? ''
    : `default ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

/** One of our own commands: `--name`; or `--no-name`, of which the description tells, where `default` is true. */
export function switchFlag(key: string, description: string, rest: Pick<Flag, 'default' | 'short'> = {}): Flag {
  return {
    part: 'body',
    key,
    name: nameOf(key),
    kind: 'switch',
    isRequired: false,
    isNullable: false,
    choices: [],
    default: false,
    description,
    ...rest,
  };
}

/** How a switch is given: as what it is not when it is left out, or either way. */
export function switchForms({ name, isRequired, default: byDefault }: Flag): string[] {
  if (isRequired || byDefault === undefined) return [`--${name}`, `--no-${name}`];
  return [byDefault ? `--no-${name}` : `--${name}`];
}
