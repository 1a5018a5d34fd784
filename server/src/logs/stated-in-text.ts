import type { Severity } from '@lilac/contract/states';
import { parseSeverity, severityOfSyslog } from './severity-names.ts';

/** `E0102 12:00:00.123456    1 file.go:10] …`, as Go's glog and klog write. */
const KLOG = /^([DIWEF])\d{4} \d\d:\d\d:\d\d/;
const klogSeverities: Readonly<Record<string, Severity>> = {
  D: 'DEBUG',
  I: 'INFO',
  W: 'WARN',
  E: 'ERROR',
  F: 'FATAL',
};
/** `<3>…`, or with a facility `<27>…`. */
const SYSLOG = /^<(\d{1,3})>/;
/** `level=warn`, between other fields or alone. */
const LOGFMT = /(?:^|\s)(?:level|lvl|severity|log\.level)="?([a-zA-Z]{1,13})\b/;
/** What programs print when they fail, without any logger. */
const FAILURE: readonly [RegExp, Severity][] = [
  [/^(?:panic: |fatal error: |PHP Fatal error: |Fatal error: |FATAL ERROR: )/, 'FATAL'],
  [/^(?:Uncaught |Unhandled |Exception in thread |Traceback \(most recent|npm ERR!|PHP Parse error: )/i, 'ERROR'],
  [/^(?:[\w$]+[.:\\]+)*[\w$]*(?:Error|Exception)(?: \[[\w$]+\])?(?::|$)/, 'ERROR'],
  [/^(?:\(node:\d+\) )?(?:\[\w+\] )?[A-Za-z]*Warning: /, 'WARN'],
  [/^(?:npm (?:WARN|warn) |PHP (?:Warning|Notice|Deprecated): )/, 'WARN'],
];
/** A name can only be behind so many words: times, hosts, threads. */
const MAX_WORDS = 9;
const WORD = /\S+/g;
const TIME = /^[\d[("]|^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b/;
const SEPARATOR = /^[-|:•>*]+$/;
/** The name of a level with what loggers put around it: `[error]`, `ERROR:root:`. */
const NAMED = /^([[(<|"']*)([A-Za-z]{3,13})([\])>|"',:!]*)(?=$|[^A-Za-z0-9_])/;
/** And before it: `core:error]`, `local.ERROR:`. */
const NAMED_WITHIN = /^([[(<|"']*)[\w-]+[.:]([A-Za-z]{3,13})([\])>|"',:!]*)(?=$|[^A-Za-z0-9_])/;

/** The beginning of a line, without colours. */
export function statedInText(head: string): Severity | null {
  const line = head.trimStart();
  if (line === '') return null;
  const klog = KLOG.exec(line);
  if (klog) return klogSeverities[klog[1]!]!;
  const syslog = SYSLOG.exec(line);
  if (syslog) return severityOfSyslog(Number(syslog[1]) % 8);
  return statedByName(line) ?? statedInLogfmt(line) ?? statedByFailure(line);
}

function statedInLogfmt(line: string): Severity | null {
  const stated = line.includes('=') ? LOGFMT.exec(line) : null;
  return stated ? parseSeverity(stated[1]!) : null;
}

function statedByFailure(line: string): Severity | null {
  return FAILURE.find(([pattern]) => pattern.test(line))?.[1] ?? null;
}

/** The first word that is no time, thread or separator must be the name, or there is none. */
function statedByName(line: string): Severity | null {
  let isInBrackets = false;
  let isAfterSeparator = false;
  WORD.lastIndex = 0;
  for (let count = 0; count < MAX_WORDS; count++) {
    const word = WORD.exec(line)?.[0];
    if (word === undefined) return null;
    isInBrackets ||= word.startsWith('[');
    const severity = severityOfWord(word, isInBrackets);
    if (severity) return severity;
    const isSeparator = SEPARATOR.test(word);
    if (!isInBrackets && !isSeparator && !isAfterSeparator && !TIME.test(word) && !/[\]:]$|^[EWIDFA],$/.test(word)) {
      return null;
    }
    if (word.includes(']')) isInBrackets = false;
    isAfterSeparator = isSeparator;
  }
  return null;
}

/** In capitals it stands for itself; else only where brackets or a colon set it off: `info` is also just a word. */
function severityOfWord(word: string, isInBrackets: boolean): Severity | null {
  return severityIn(NAMED.exec(word), isInBrackets) ?? severityIn(NAMED_WITHIN.exec(word), isInBrackets);
}

function severityIn(named: RegExpExecArray | null, isInBrackets: boolean): Severity | null {
  if (!named) return null;
  const [, before, name, after] = named as unknown as [string, string, string, string];
  const isSetOff = /[:\])>|]/.test(after) || /[[(<|]/.test(before) || isInBrackets;
  return name === name.toUpperCase() || isSetOff ? parseSeverity(name) : null;
}
