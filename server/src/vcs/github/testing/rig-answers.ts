import type { IncomingMessage, ServerResponse } from 'node:http';

export interface RigAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

export const notFound: RigAnswer = { status: 404, body: { message: 'Not Found' } };
export const badCredentials: RigAnswer = { status: 401, body: { message: 'Bad credentials' } };
export const notByIntegration: RigAnswer = {
  status: 403,
  body: { message: 'Resource not accessible by integration' },
};

export const found = (body: unknown): RigAnswer => ({ status: 200, body });
export const sendTo = (location: string): RigAnswer => ({ status: 302, headers: { location } });

/** HTML goes as it is, everything else as JSON. */
export function answer(response: ServerResponse, { status, headers, body }: RigAnswer): void {
  const isPage = typeof body === 'string';
  const type = body === undefined ? null : { 'content-type': isPage ? 'text/html' : 'application/json' };
  response.writeHead(status, { ...type, ...headers }).end(isPage ? body : JSON.stringify(body));
}

export function refuseByRate(response: ServerResponse, seconds: number): void {
  const reset = String(Math.ceil(Date.now() / 1000) + seconds);
  const headers = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
  answer(response, { status: 403, headers, body: { message: 'API rate limit exceeded for installation.' } });
}

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** One page of a list, and where the others are. */
export function pageOf<T>(items: readonly T[], url: URL): { items: T[]; headers: Record<string, string> } {
  const perPage = Number(url.searchParams.get('per_page') ?? 30);
  const page = Number(url.searchParams.get('page') ?? 1);
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const to = (number: number, rel: string) => {
    const there = new URL(url);
    there.searchParams.set('page', String(number));
    return `<${there.href}>; rel="${rel}"`;
  };
  const link = page < last ? [to(page + 1, 'next'), to(last, 'last')] : [];
  return {
    items: items.slice((page - 1) * perPage, page * perPage),
    headers: link.length > 0 ? { link: link.join(', ') } : {},
  };
}
