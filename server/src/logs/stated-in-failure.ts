import type { Severity } from '@lilac/contract/states';

/** A time and the like, which some put before it: `2026/01/01 12:00:00 http: panic serving …`. */
const TIMED = /^(?:\[[^\]]*\] +|\d[\d\-/.:,TZ+]* +|- )+/;
/** `bash: line 3:    12 Segmentation fault      (core dumped) ./server` */
const BY_SIGNAL =
  /^(?:\S+: (?:line )?\d+: +(?:\d+ +)?)?(?:Segmentation fault\b|(?:Aborted|Bus error|Illegal instruction|Floating point exception|Trace\/breakpoint trap)(?:\s+\(core dumped\)|$))/;

/** What programs print when they fail, without any logger. */
const FAILURES: readonly [RegExp, Severity][] = [
  [/^(?:panic: |panic\([^)]*\): |(?:PHP )?Fatal error: |fatal error: |FATAL ERROR: |Fatal Python error: )/, 'FATAL'],
  [/^(?:thread 'main' (?:\(\d+\) )?panicked at |terminate called |SIG(?:SEGV|BUS|ABRT|ILL|FPE): )/, 'FATAL'],
  [/^(?:# A fatal error has been detected by the Java|oh no: Bun has crashed)/, 'FATAL'],
  [BY_SIGNAL, 'FATAL'],
  // One thread of several: the program goes on.
  [/^(?:thread '[^']*' (?:\(\d+\) )?panicked at |http: panic serving |panic recovered:)/, 'ERROR'],
  [/^(?:Uncaught |Unhandled |Exception in |Exception on |Traceback \(most recent|Internal Server Error: )/i, 'ERROR'],
  [/^(?:npm (?:ERR!|error) |(?:PHP )?Parse error: |APPLICATION FAILED TO START|=(?:ERROR|CRASH) REPORT=)/, 'ERROR'],
  // Elixir's and Ruby's.
  [/^(?:\*\* \([A-Z][\w.]*\) |\S+:\d+:in [`'].+?': )/, 'ERROR'],
  [/^(?:[\w$]+[.:\\]+)*[\w$]*(?:Error|Exception)(?: \[[\w$]+\])?(?::|$| - | \()/, 'ERROR'],
  [/^(?:\(node:\d+\) )?(?:\[\w+\] )?[A-Za-z]*Warning: /, 'WARN'],
  [/^(?:npm (?:WARN|warn) |PHP (?:Warning|Notice|Deprecated): |=WARNING REPORT=)/, 'WARN'],
  // As Next.js has them.
  [/^[⨯✖✘✗] /, 'ERROR'],
  [/^⚠\uFE0F? /, 'WARN'],
];

/** A line without any level that tells of a failure. */
export function statedInFailure(line: string): Severity | null {
  const timed = TIMED.exec(line);
  return statedHere(line) ?? (timed && statedHere(line.slice(timed[0].length)));
}

function statedHere(line: string): Severity | null {
  return FAILURES.find(([pattern]) => pattern.test(line))?.[1] ?? null;
}
