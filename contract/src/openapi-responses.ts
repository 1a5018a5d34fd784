import { errorCatalogue, type ErrorCode } from './errors.ts';

type Json = Record<string, unknown>;

const headerReferences = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const RESPONSE_HEADERS = headerReferences([
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'X-Request-Id',
]);
const RETRY_HEADERS = { ...RESPONSE_HEADERS, ...headerReferences(['Retry-After']) };

/** One response for each status, with every code that comes with it. */
export function referToErrorResponses(codes: readonly ErrorCode[]): Json {
  const groups = [...byStatus(codes)];
  return Object.fromEntries(
    groups.map(([status, group]) => [status, { $ref: `#/components/responses/${nameOf(group)}` }]),
  );
}

/** Few combinations of codes occur, many times each, so that they are described once. */
export function errorResponsesOf(codesOfEndpoints: readonly (readonly ErrorCode[])[]): Json {
  const groups = codesOfEndpoints.flatMap((codes) => [...byStatus(codes)]);
  return Object.fromEntries(groups.map(([status, group]) => [nameOf(group), errorResponse(status, group)]));
}

function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  return Map.groupBy(codes, (code) => errorCatalogue[code].status);
}

function nameOf(codes: readonly ErrorCode[]): string {
  return codes.join('-');
}

function errorResponse(status: number, codes: readonly ErrorCode[]): Json {
  return {
    description: codes.map((code) => `${code}: ${errorCatalogue[code].message}`).join('\n\n'),
    headers: status === 429 || status === 503 ? RETRY_HEADERS : RESPONSE_HEADERS,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}
