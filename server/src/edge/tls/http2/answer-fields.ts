import type { OutgoingHttpHeaders } from 'node:http2';
import type { Header } from '../../static/header-rules.ts';
import type { StaticAnswer } from '../../static/static-answer.ts';
import { headersOf } from '../../static/write-response.ts';

/** Said of the connection, which is another thing here (RFC 9113, 8.2.2). */
const OF_THE_CONNECTION = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** The head of an answer in HTTP/2. What is added counts only where the answer says nothing of the kind itself. */
export function answerFields(status: number, headers: readonly string[], added: Header | null): OutgoingHttpHeaders {
  const fields: OutgoingHttpHeaders = Object.create(null) as OutgoingHttpHeaders;
  fields[':status'] = status;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at]!.toLowerCase();
    if (OF_THE_CONNECTION.has(name)) continue;
    const before = fields[name] as string | string[] | undefined;
    fields[name] = before === undefined ? headers[at + 1]! : [before, headers[at + 1]!].flat();
  }
  if (added !== null) fields[added[0].toLowerCase()] ??= added[1];
  return fields;
}

/** Answers of files are made once and given again and again. */
const known = new WeakMap<StaticAnswer, { added: Header | null; fields: OutgoingHttpHeaders }>();

export function staticAnswerFields(answer: StaticAnswer, added: Header | null): OutgoingHttpHeaders {
  const before = known.get(answer);
  if (before?.added === added) return before.fields;
  const fields = answerFields(answer.status, headersOf(answer.head), added);
  known.set(answer, { added, fields });
  return fields;
}
