import type { EndpointDeclaration } from '@lilac/contract/endpoint';
import type { ErrorCode } from '@lilac/contract/errors';
import { possibleErrors } from '@lilac/contract/possible-errors';
import { expect } from 'vitest';
import type { Answer } from './harness.ts';

/** Whatever was sent: the fault is not ours, and a refusal says what it is. */
export function expectNoFault({ status, body, headers, text }: Answer): void {
  expect({ text, isOurFault: status >= 500 }).toEqual({ text, isOurFault: false });
  expect(headers['x-request-id']).toMatch(/^req_/);
  expect(headers['ratelimit-remaining']).toMatch(/^\d+$/);
  if (status < 400 || !text) return;
  expect(typeof body.message).toBe('string');
  expect(body.code).toMatch(/^[A-Z]{2}\d{3}$/);
}

/** The same, and what is answered is declared. Returns the code of a refusal; null where there is none. */
export function expectDeclared(
  declaration: EndpointDeclaration,
  answer: Answer,
  besides: readonly ErrorCode[] = [],
): ErrorCode | null {
  expectNoFault(answer);
  const { status, body, text } = answer;
  const code = status >= 400 ? (body as { code: ErrorCode }).code : null;
  expect([declaration.status, ...possibleErrors(declaration), ...besides]).toContain(code ?? status);
  const fits = code !== null || declaration.stream || declaration.output.safeParse(body).success;
  expect({ fits, text }).toMatchObject({ fits: true });
  return code;
}
