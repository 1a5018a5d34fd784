import type { JsonSchema } from '@lilac/contract/json-schema';
import { exampleOf } from '@lilac/contract/schema-example';
import { isRightText, TELLING } from './fuzz-values.ts';

/** What a field of this name holds so that whoever is asked finds something; undefined: nothing in particular. */
export type Own = (name: string) => unknown;

/**
 * A right value in which one text is a telling one, all else being as it should: every text at any depth, once with
 * each of them. Chance alone would seldom have them so.
 */
export function tellingExamples(schema: JsonSchema, own: Own, name = ''): unknown[] {
  if (schema.anyOf) return schema.anyOf.flatMap((option) => tellingExamples(option, own, name));
  if (schema.const !== undefined || schema.enum) return [];
  return [schema.type].flat().flatMap((type): unknown[] => {
    if (type === 'string') return tellingTextsFor(schema, name);
    if (type === 'array') return tellingLists(schema, own, name);
    return type === 'object' ? tellingObjects(schema, own) : [];
  });
}

/** One that is not taken as it is stands before or behind what is: what somebody behind makes of it is the same. */
function tellingTextsFor(schema: JsonSchema, name: string): string[] {
  const right = String(exampleOf({ ...schema, default: undefined }, 'required', name));
  return TELLING.map(
    (telling) => [telling, right + telling, telling + right].find((text) => isRightText(schema, text)) ?? telling,
  );
}

function tellingLists({ items }: JsonSchema, own: Own, name: string): unknown[][] {
  if (!items || Array.isArray(items)) return [];
  return tellingExamples(items, own, name).map((item) => [item]);
}

function tellingObjects(schema: JsonSchema, own: Own): object[] {
  const { properties = {} } = schema;
  const right = rightObject(schema, own);
  const ofFields = Object.entries(properties).flatMap(([name, child]) =>
    tellingExamples(child, own, name).map((value) => ({ ...right, [name]: value })),
  );
  return [...ofFields, ...tellingRecords(schema, own).map((record) => ({ ...right, ...record }))];
}

/** Names that the caller chooses, each with a value. */
function tellingRecords({ propertyNames, additionalProperties }: JsonSchema, own: Own): object[] {
  if (typeof additionalProperties !== 'object') return [];
  const value = exampleOf(additionalProperties);
  const names = tellingTextsFor((propertyNames ?? {}) as JsonSchema, 'name');
  const values = tellingExamples(additionalProperties, own, 'value');
  return [...names.map((name) => ({ [name]: value })), ...values.map((each) => ({ NAME: each }))];
}

/** Nothing that may be left out. */
function rightObject({ properties = {}, required = [] }: JsonSchema, own: Own): Record<string, unknown> {
  const wanted = required.filter((name) => Object.hasOwn(properties, name));
  return Object.fromEntries(wanted.map((name) => [name, own(name) ?? exampleOf(properties[name]!, 'required', name)]));
}
