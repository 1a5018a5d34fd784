import type { FastifyRequest } from 'fastify';

const HEADER = 'x-lilac-read-only';
const PARAMETER = 'readonly';
const OFF: ReadonlySet<string> = new Set(['0', 'false', 'no', 'off']);

/** Whoever names the switch wants it, unless all they say is a plain no: a typing error must not open what was to be shut. */
export function wantsReadOnly({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): boolean {
  const asked = Object.entries(query as Record<string, unknown>).filter(([name]) => isSwitch(name));
  return [...asked.map(([, value]) => value), headers[HEADER]].some(isOn);
}

/** However it is written: readOnly, read-only, READ_ONLY. */
function isSwitch(name: string): boolean {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '') === PARAMETER;
}

function isOn(value: unknown): boolean {
  if (value === undefined) return false;
  return typeof value !== 'string' || !OFF.has(value.trim().toLowerCase());
}
