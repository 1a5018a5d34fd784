import type { Severity } from '@lilac/contract/states';
import { parseSeverity, severityOfNumber } from './severity-names.ts';

/** Where loggers put it, the usual ones first. */
const FIELDS = [
  'level_name',
  'level',
  'severity',
  'lvl',
  'log.level',
  'levelname',
  'loglevel',
  'logLevel',
  'LogLevel',
  'severityText',
  'Level',
  '@l',
] as const;
const MAY_STATE = /(?:level|level_name|severity|lvl|levelname|severityText|@l)"\s*:/i;
/** For a line that was cut, or is JSON and something more. */
const STATED = /"(?:level|severity|lvl|log\.level|levelname)"\s*:\s*(?:"([^"\\]{1,20})"|(\d{1,3})\b)/i;

/** A line that begins like a JSON object. */
export function statedInJson(message: string): Severity | null {
  if (!MAY_STATE.test(message)) return null;
  const fields = parseObject(message);
  if (fields) return statedInFields(fields);
  const stated = STATED.exec(message);
  return stated ? severityOfValue(stated[1] ?? Number(stated[2])) : null;
}

function statedInFields(fields: Record<string, unknown>): Severity | null {
  for (const field of FIELDS) {
    const severity = severityOfValue(fields[field]);
    if (severity) return severity;
  }
  const { log } = fields;
  return typeof log === 'object' && log !== null && 'level' in log ? severityOfValue(log.level) : null;
}

function severityOfValue(value: unknown): Severity | null {
  if (typeof value === 'number') return severityOfNumber(value);
  if (typeof value !== 'string') return null;
  return parseSeverity(value) ?? (/^\d{1,3}$/.test(value) ? severityOfNumber(Number(value)) : null);
}

function parseObject(message: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(message);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
