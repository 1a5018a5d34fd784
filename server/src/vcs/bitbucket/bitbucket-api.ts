import { z } from 'zod';
import { refusalOf } from '../connection/host-refusal.ts';
import { readAnswer, strangeAnswer } from '../connection/read-answer.ts';
import type { HostFetch } from '../host-fetch.ts';
import type { CallOptions, HostAccess } from '../vcs-host.ts';

export interface BitbucketApi {
  get<T>(path: string, shape: z.ZodType<T>): Promise<T>;
  /** All pages together. */
  list<T>(path: string, shape: z.ZodType<T>): Promise<T[]>;
  send<T>(method: 'POST' | 'PUT', path: string, body: object, shape: z.ZodType<T>): Promise<T>;
  remove(path: string): Promise<void>;
}

export type AskBitbucket = (access: HostAccess, options?: CallOptions) => BitbucketApi;

/** Nobody has so many; a host that never ends is broken. */
const MOST_PAGES = 1000;
const PAGE_LENGTH = '100';

export function createBitbucketApi({ apiUrl, fetch }: { apiUrl: URL; fetch: HostFetch }): AskBitbucket {
  const base = apiUrl.href.replace(/\/$/, '');
  return (access, { signal } = {}) => {
    const ask = async (url: string, { method = 'GET', body }: { method?: string; body?: object } = {}) => {
      const response = await fetch(url, {
        method,
        headers: {
          accept: 'application/json',
          ...(access.kind === 'person' && { authorization: `Bearer ${access.accessToken}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body && JSON.stringify(body),
        signal,
      });
      if (!response.ok) throw await refusalOf(response, 'Bitbucket');
      return response;
    };
    return {
      get: async (path, shape) => read(await ask(base + path), shape),
      send: async (method, path, body, shape) => read(await ask(base + path, { method, body }), shape),
      remove: async (path) => void (await ask(base + path, { method: 'DELETE' })),
      list: async (path, shape) =>
        allPages(firstPage(base + path), async (url) => {
          const page = await read(await ask(url), z.object({ values: z.array(shape), next: z.string().optional() }));
          return { values: page.values, next: page.next === undefined ? null : withinApi(page.next, apiUrl) };
        }),
    };
  };
}

async function read<T>(response: Response, shape: z.ZodType<T>): Promise<T> {
  return readAnswer(await response.json().catch(() => null), { shape, hostName: 'Bitbucket' });
}

async function allPages<T>(
  first: string,
  readPage: (url: string) => Promise<{ values: T[]; next: string | null }>,
): Promise<T[]> {
  const found: T[] = [];
  let url: string | null = first;
  for (let pages = 1; url !== null; pages += 1) {
    if (pages > MOST_PAGES) throw strangeAnswer('Bitbucket');
    const page: { values: T[]; next: string | null } = await readPage(url);
    found.push(...page.values);
    url = page.next;
  }
  return found;
}

function firstPage(url: string): string {
  const first = new URL(url);
  first.searchParams.set('pagelen', PAGE_LENGTH);
  return first.href;
}

/** The token goes where the answer says: nowhere but to the host itself. */
function withinApi(next: string, apiUrl: URL): string {
  if (!URL.canParse(next) || new URL(next).origin !== apiUrl.origin) throw strangeAnswer('Bitbucket');
  return next;
}
