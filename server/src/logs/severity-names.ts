import type { Severity } from '@lilac/contract/states';

/** Everything that loggers call their levels, in lower case. */
const names: Readonly<Record<Severity, readonly string[]>> = {
  DEBUG: [
    'debug',
    'dbug',
    'dbg',
    'debu',
    'trace',
    'trce',
    'trc',
    'trac',
    'verbose',
    'silly',
    'fine',
    'finer',
    'finest',
  ],
  INFO: ['info', 'inf', 'information', 'informational', 'notice', 'log'],
  WARN: ['warn', 'warning', 'wrn'],
  ERROR: ['error', 'err', 'eror', 'erro', 'fail', 'severe', 'exception'],
  FATAL: ['fatal', 'ftl', 'fata', 'crit', 'critical', 'alert', 'emerg', 'emergency', 'panic', 'pani', 'dpanic'],
};

const severityByName = new Map(
  Object.entries(names).flatMap(([severity, aliases]) => aliases.map((alias) => [alias, severity as Severity])),
);

const LONGEST_NAME = 13;

/** In upper or lower case; also under other names: `WARNING`, `CRITICAL`, `TRACE`, `NOTICE`. */
export function parseSeverity(text: string): Severity | null {
  if (text.length > LONGEST_NAME) return null;
  return severityByName.get(text.toLowerCase()) ?? null;
}

/** The numbers of syslog below ten, those of pino and bunyan above, and from a hundred on those of PHP's Monolog. */
export function severityOfNumber(level: number): Severity | null {
  if (!Number.isFinite(level) || level < 0) return null;
  if (level < 10) return severityOfSyslog(level);
  if (level >= 100) return severityOfMonolog(level);
  if (level < 30) return 'DEBUG';
  if (level < 40) return 'INFO';
  if (level < 50) return 'WARN';
  return level < 60 ? 'ERROR' : 'FATAL';
}

function severityOfMonolog(level: number): Severity {
  if (level < 200) return 'DEBUG';
  if (level < 300) return 'INFO';
  if (level < 400) return 'WARN';
  return level < 500 ? 'ERROR' : 'FATAL';
}

export function severityOfSyslog(level: number): Severity | null {
  if (level <= 2) return 'FATAL';
  if (level <= 3) return 'ERROR';
  if (level <= 4) return 'WARN';
  if (level <= 6) return 'INFO';
  return level <= 7 ? 'DEBUG' : null;
}
