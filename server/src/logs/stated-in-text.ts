import type { Severity } from '@lilac/contract/states';
import { parseSeverity, severityOfSyslog } from './severity-names.ts';
import { statedInFailure } from './stated-in-failure.ts';
import { statedInRequest } from './stated-in-request.ts';

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
/** What others put before the lines of the program that they run: PHP's process manager, foreman. */
const WRAPPED =
  /^(?:(?:\[[^\]]*\] )?(?:WARNING: \[pool [^\]]*\] child \d+ said into std(?:out|err): "(?:NOTICE: PHP message: )?|NOTICE: PHP message: )|\d\d:\d\d:\d\d [\w-]+\.\d+ +\| )/;
/** A name can only be behind so many words: times, hosts, threads. */
const MAX_WORDS = 9;
const WORD = /[^\s|]+|\|+/g;
const TIME = /^[\d[("]|^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b/;
const CLOCK = /\d:\d\d/;
/** What may follow a time: half of the day or zone, fields, and who is connected to a database. */
const AFTER_TIME =
  /^(?:[AP]\.?M\.?|[ap]\.?m\.?|Z|UTC|GMT|MSK|[CEMPAN][SD]T|[CEW]ES?T|[BIJK]ST|A[CEW][SD]T|[\w.]+=\S+|[\w-]+@[\w-]+)$/;
const SEPARATOR = /^[-|:•>*]+$/;
/** The name of a level with what loggers put around it: `[error]`, `ERROR:root:`. */
const NAMED = /^([[(<"']*)([A-Za-z]{3,13})([\])>"',:!]*)(?=$|[^A-Za-z0-9_=])(?!\.\w)/;
/** And before it: `core:error]`, `local.ERROR:`. */
const NAMED_WITHIN = /^([[(<"']*)[\w-]+[.:]([A-Za-z]{3,13})([\])>"',:!]*)(?=$|[^A-Za-z0-9_=])(?!\.\w)/;

/** The beginning of a line, without colours. */
export function statedInText(head: string): Severity | null {
  const line = head.trimStart().replace(WRAPPED, '');
  if (line === '') return null;
  const klog = KLOG.exec(line);
  if (klog) return klogSeverities[klog[1]!]!;
  const syslog = SYSLOG.exec(line);
  if (syslog) return severityOfSyslog(Number(syslog[1]) % 8);
  return statedByName(line) ?? statedInLogfmt(line) ?? statedInFailure(line) ?? statedInRequest(line);
}

function statedInLogfmt(line: string): Severity | null {
  const stated = line.includes('=') ? LOGFMT.exec(line) : null;
  return stated ? parseSeverity(stated[1]!) : null;
}

/** The first word that is no time, thread or separator must be the name, or there is none. */
function statedByName(line: string): Severity | null {
  const spaced = line.includes('][') ? line.replaceAll('][', '] [') : line;
  let [isInBrackets, isAfterSeparator, isTimed] = [false, false, false];
  WORD.lastIndex = 0;
  for (let count = 0; count < MAX_WORDS; count++) {
    const word = WORD.exec(spaced)?.[0];
    if (word === undefined) return null;
    isInBrackets ||= word.startsWith('[');
    const isBarred = isAfterSeparator && /^\s*\|/.test(spaced.slice(WORD.lastIndex));
    const severity = severityOfWord(word, isInBrackets || isBarred);
    if (severity) return severity;
    const isSeparator = SEPARATOR.test(word);
    if (!isInBrackets && !isSeparator && !isAfterSeparator && !isPassedOver(word, isTimed)) return null;
    if (word.includes(']')) isInBrackets = false;
    isAfterSeparator = isSeparator;
    isTimed ||= CLOCK.test(word);
  }
  return null;
}

function isPassedOver(word: string, isTimed: boolean): boolean {
  return TIME.test(word) || /[\]:]$|^[EWIDFA],$/.test(word) || (isTimed && AFTER_TIME.test(word));
}

/** In capitals it stands for itself; else only where something sets it off: `info` is also just a word. */
function severityOfWord(word: string, isSetOff: boolean): Severity | null {
  return severityIn(NAMED.exec(word), isSetOff) ?? severityIn(NAMED_WITHIN.exec(word), isSetOff);
}

function severityIn(named: RegExpExecArray | null, isSetOffBefore: boolean): Severity | null {
  if (!named) return null;
  const [, before, name, after] = named as unknown as [string, string, string, string];
  const isSetOff = isSetOffBefore || /[:\])>]/.test(after) || /[[(<]/.test(before);
  return name === name.toUpperCase() || isSetOff ? parseSeverity(name) : null;
}
