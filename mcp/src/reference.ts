import { z } from 'zod';
import type { Tool, ToolAccess } from './define-tool.ts';
import { toolGroups } from './tools/tools.ts';

export interface ArgumentReference {
  name: string;
  type: string;
  isRequired: boolean;
  notes: string;
}

export interface ToolReference extends Pick<Tool, 'name' | 'title' | 'description'> {
  kind: string;
  arguments: ArgumentReference[];
}

const kinds: Record<ToolAccess, string> = {
  read: 'Reads.',
  secret: 'Shows a secret; not offered where only reading is wished.',
  write: 'Changes.',
  destroy: 'Destroys.',
};

/** What the reference page says of every tool. */
export function toolReference(): { group: string; tools: ToolReference[] }[] {
  return Object.entries(toolGroups).map(([group, tools]) => ({ group, tools: tools.map(describe) }));
}

function describe({ name, title, description, access, input }: Tool): ToolReference {
  return { name, title, description, kind: kinds[access], arguments: argumentsOf(input) };
}

interface Property {
  type?: string;
  enum?: unknown[];
  items?: Property;
  default?: unknown;
  description?: string;
}

function argumentsOf(input: z.ZodObject): ArgumentReference[] {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' });
  return Object.entries(properties as Record<string, Property>).map(([name, property]) => ({
    name,
    type: typeOf(property),
    isRequired: required.includes(name),
    notes: [property.description, choicesOf(property), defaultOf(property)].filter(Boolean).join(' '),
  }));
}

function typeOf({ type = 'any', items }: Property): string {
  return type === 'array' ? `list of ${items?.type ?? 'any'}` : type;
}

function choicesOf({ enum: own, items }: Property): string {
  const choices = own ?? items?.enum ?? [];
  return choices.length === 0 ? '' : `One of ${choices.map((choice) => `\`${String(choice)}\``).join(', ')}.`;
}

function defaultOf({ default: value }: Property): string {
  const isTold = value !== undefined && !['""', '{}', '[]'].includes(JSON.stringify(value));
  return isTold ? `Left out: \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.` : '';
}
