import type { Severity } from '@lilac/contract/states';

/** A request and what became of it. */
export interface AccessFacts {
  method: string;
  /** The path and query as the client wrote them. */
  target: string;
  /** 0: the client was gone before it was answered. */
  status: number;
  ms: number;
  /** What was sent to the client, the answer's head included. */
  bytes: number;
  /** Where it was passed on to. */
  instanceId: string | null;
}

const MAX_PATH_LENGTH = 1024;
/** What a path may not have by its grammar, and clients send all the same. */
const NOT_PLAIN = /[^\u{21}-\u{7e}]/gu;

/**
 * `GET /cart 200 12ms 3421B ins_1`. The query is left out, since it may hold what nobody should read; so is who
 * asked. There is nothing but plain characters in it, and no space within a part, whatever a client sends.
 */
export function describeAccess({ method, target, status, ms, bytes, instanceId }: AccessFacts): string {
  const answer = status === 0 ? '-' : String(status);
  const line = `${method} ${plainPath(target)} ${answer} ${Math.round(ms)}ms ${bytes}B`;
  return instanceId === null ? line : `${line} ${instanceId}`;
}

/**
 * Only what went wrong on this side stands out: clients ask for what is not there all day. Who went without an
 * answer may have waited for one that never came.
 */
export function severityOfAccess(status: number): Severity {
  if (status === 0) return 'WARN';
  return status >= 500 ? 'ERROR' : 'INFO';
}

function plainPath(target: string): string {
  // Some clients send what is behind the # too, and some servers keep sessions behind a semicolon.
  const [path = ''] = target.split(/[?#;]/, 1);
  const plain = path.slice(0, MAX_PATH_LENGTH).replace(NOT_PLAIN, encodeByte);
  return path.length > MAX_PATH_LENGTH ? `${plain}...` : plain;
}

/** A head is read a byte a character. */
function encodeByte(character: string): string {
  return `%${character.codePointAt(0)!.toString(16).toUpperCase().padStart(2, '0')}`;
}
