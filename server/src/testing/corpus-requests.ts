import type { EndpointName } from '@lilac/contract/endpoints';
import { readNamedCorpus } from './fuzz-settings.ts';

/** A request of `fuzz/corpus/`, as it is sent. */
export interface CorpusRequest {
  endpoint: EndpointName;
  /** As they stand in the path. */
  params?: Record<string, string>;
  query?: string;
  body?: string;
}

type Kept = Omit<CorpusRequest, 'body'> & { body?: unknown };

/**
 * What is kept of a request. In it `<databaseId>` stands for the value that such a field has in the world of the test,
 * and `<nested lists 10000>` or `<nested objects 10000>` for values in values, which would fill the file.
 */
export function readCorpusRequests(part: string): { name: string; requestFor: (own: Own) => CorpusRequest }[] {
  return readNamedCorpus(part).map(({ name, bytes }) => ({
    name,
    requestFor(own) {
      const { body, ...kept } = JSON.parse(withOwn(bytes.toString(), own)) as Kept;
      return { ...kept, ...(body !== undefined && { body: withNests(JSON.stringify(body)) }) };
    },
  }));
}

/** The values of fields, by their names. */
type Own = Readonly<Record<string, string>>;

function withOwn(text: string, own: Own): string {
  return text.replaceAll(/<(\w+)>/g, (_whole, field: string) => {
    if (!Object.hasOwn(own, field)) throw new Error(`The corpus names "${field}", which means nothing here.`);
    return own[field]!;
  });
}

const NESTS = { lists: ['[', '', ']'], objects: ['{"a":', '1', '}'] } as const;

function withNests(text: string): string {
  return text.replaceAll(/"<nested (lists|objects) (\d+)>"/g, (_whole, kind: keyof typeof NESTS, depth: string) => {
    const [opens, inmost, closes] = NESTS[kind];
    return opens.repeat(Number(depth)) + inmost + closes.repeat(Number(depth));
  });
}
