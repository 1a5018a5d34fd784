import { Ajv, type ErrorObject, type Options } from 'ajv';
import type { JsonSchema } from '@lilac/contract/json-schema';

/** Fills defaults in; null when the value is right, otherwise what to tell the caller. */
export type Validate = (value: unknown) => string | null;

export type InputPart = 'body' | 'query' | 'params';

const OPTIONS: Options = {
  removeAdditional: false,
  useDefaults: true,
  // Messages tell what is expected from the part of the schema that refused.
  verbose: true,
  // The pattern beside it is stricter than any check of the format would be.
  formats: { 'date-time': true },
};

/**
 * An address is all text, so its values are converted: `1e400` to a number without end, whose limits strict numbers
 * would leave unchecked.
 */
const CONVERTING: Options = { ...OPTIONS, coerceTypes: true, strictNumbers: false };

/** A body's types are taken as they are. */
const ajvFor: Record<InputPart, Ajv> = {
  body: new Ajv({ ...OPTIONS, coerceTypes: false }),
  query: new Ajv(CONVERTING),
  params: new Ajv(CONVERTING),
};

export function compileValidator(schema: JsonSchema, part: InputPart): Validate {
  const check = ajvFor[part].compile(schema);
  return (value) => (check(value) ? null : messageOf(check.errors![0]!, part));
}

/** `page must be a number`: always names the field. */
function messageOf(error: ErrorObject, part: InputPart): string {
  const field = fieldOf(error.instancePath);
  if (error.keyword === 'required') return `${join(field, String(error.params['missingProperty']))} is required`;
  const { propertyName } = error;
  const name = propertyName === undefined ? '' : `holds the name ${shown(propertyName)}, which `;
  return `${field || `the ${part}`} ${name}${expectationOf(error)}`;
}

/** A name can be as long as a body. */
const SHOWN_LENGTH = 64;

function shown(name: string): string {
  return JSON.stringify(name.length > SHOWN_LENGTH ? `${name.slice(0, SHOWN_LENGTH)}…` : name);
}

function expectationOf(error: ErrorObject): string {
  const { keyword, params, parentSchema, message } = error;
  switch (keyword) {
    case 'type':
      return `must be ${typeName(params['type'] as string | string[])}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).map(String).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'minLength':
      return params['limit'] === 1
        ? 'must not be empty'
        : `must have at least ${characters(params['limit'] as number)}`;
    case 'maxLength':
      return `must have at most ${characters(params['limit'] as number)}`;
    case 'pattern':
      if (params['pattern'] === String.raw`\S`) return 'must not be blank';
      return (parentSchema as JsonSchema).format === 'date-time'
        ? 'must be an RFC 3339 timestamp such as 2030-01-31T12:00:00Z'
        : `does not have the right form${ruleOf(error)}`;
    default:
      return message ?? 'is invalid';
  }
}

/** What has a pattern says in its description, in words, which one. */
function ruleOf({ parentSchema }: ErrorObject): string {
  const { description } = parentSchema as JsonSchema;
  return description ? `: ${description}` : '';
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

function typeName(type: string | string[]): string {
  const named = [type].flat().map((one) => TYPE_NAMES[one] ?? one);
  return named.join(' or ');
}

const TYPE_NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
};

/** `/items/0/name` → `items[0].name`. */
function fieldOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), '');
}

function join(path: string, part: string): string {
  return path ? `${path}.${part}` : part;
}
