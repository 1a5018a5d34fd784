import type { FastifyRequest } from 'fastify';
import { invalid } from '../../lib/fault.ts';

/** Without the signs between the words: readOnly, read-only, READ_ONLY. */
const PARAMETER = 'readonly';
const HEADERS: ReadonlySet<string> = new Set(['xlilacreadonly', 'lilacreadonly', 'xreadonly', PARAMETER]);
const OFF: ReadonlySet<string> = new Set(['0', 'false', 'no', 'off']);

/**
 * Whoever names the switch wants it, unless all they say is a plain no: a typing error must not open what was to be
 * shut.
 */
export function wantsReadOnly({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): boolean {
  const parameters = Object.entries(query as Record<string, unknown>).filter(([name]) => isSwitch(name));
  const named = Object.entries(headers).filter(([name]) => HEADERS.has(lettersOf(name)));
  return [...parameters, ...named].some(([, value]) => isOn(value));
}

/** What was meant for the switch and is none must not be passed over. */
export function assertQuery({ query }: Pick<FastifyRequest, 'query'>): void {
  const unknown = Object.keys(query as Record<string, unknown>).find((name) => !isSwitch(name));
  if (unknown === undefined) return;
  throw invalid(`/mcp has no parameter ${JSON.stringify(unknown)}. It has only one: readonly=1.`);
}

function isSwitch(name: string): boolean {
  return lettersOf(name) === PARAMETER;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

function isOn(value: unknown): boolean {
  if (value === undefined) return false;
  return typeof value !== 'string' || !OFF.has(value.trim().toLowerCase());
}
