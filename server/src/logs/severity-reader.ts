import type { Severity } from '@lilac/contract/states';
import { headOf, parseSeverity, statedSeverity, usualSeverity, type OutputStream } from './severity.ts';

/** What follows the first line of a trace without being indented. */
const CONTINUES =
  /^(?:\s|Caused by: |Suppressed: |\.\.\. \d+ (?:more|common frames)|at [\w$.<>/]+\(|[})\]]+[,;]?$|During handling of the above|The above exception was|stack backtrace:$|note: (?:run with `RUST|Some details are omitted))/;
const PYTHON_TRACE = /^\s*(?:\+ Exception Group )?Traceback \(most recent call last\)/;
const GO_TRACE = /^goroutine \d+ \[/;
/** What it panicked with is in the next line. */
const RUST_PANIC = /^thread '[^']*' (?:\(\d+\) )?panicked at .*:$/;
/** A function, or how the program ended. */
const GO_FRAME =
  /^(?:[\w./*()-]+\(.*\)$|created by |exit status \d|\[signal |\[recovered|goroutine \d+ \[|\.\.\.additional frames)/;

/** A level set to the right, or behind a time or a sign: such a line is one of its own, though it is indented. */
const PADDED = /^ {1,8}(?:\d{4}-\d\d-\d\dT|[⨯✖✘✗⚠✓✔○▲] |[[(]?([A-Z]{3,8})[\])]?[:\s])/;

type Block = 'none' | 'python' | 'go' | 'rust';

/** Reads the lines of one stream in their order: lines of a trace have the severity of what they belong to. */
export class SeverityReader {
  readonly #usual: Severity;
  #last: Severity;
  #block: Block = 'none';

  constructor(stream: OutputStream) {
    this.#usual = usualSeverity(stream);
    this.#last = this.#usual;
  }

  read(message: string): Severity {
    if (message === '') return this.#last;
    this.#last = this.#readBlock(message) ?? this.#readOrdinary(message);
    return this.#last;
  }

  /** Within a trace that is known by how it begins. */
  #readBlock(message: string): Severity | null {
    if (PYTHON_TRACE.test(message)) return this.#begin('python');
    if (GO_TRACE.test(message)) return this.#begin('go');
    if (this.#block === 'none') return null;
    if (/^\s/.test(message)) return this.#last;
    const block = this.#block;
    // The first line that is not indented is the exception itself, and the last.
    if (block !== 'go') this.#block = 'none';
    if (block !== 'go' || GO_FRAME.test(message)) return this.#last;
    this.#block = 'none';
    return null;
  }

  #begin(block: Block): Severity {
    this.#block = block;
    return this.#last === 'FATAL' ? 'FATAL' : 'ERROR';
  }

  #readOrdinary(message: string): Severity {
    if (CONTINUES.test(message) && !isPadded(message)) return this.#last;
    if (RUST_PANIC.test(message)) this.#block = 'rust';
    return statedSeverity(message) ?? this.#usual;
  }
}

function isPadded(message: string): boolean {
  if (!message.startsWith(' ')) return false;
  const padded = PADDED.exec(headOf(message));
  return padded !== null && (padded[1] === undefined || parseSeverity(padded[1]) !== null);
}
