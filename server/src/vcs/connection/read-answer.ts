import type { z } from 'zod';
import { HostUnavailable } from '../vcs-host.ts';

const RETRY_AFTER_SECONDS = 60;

/** A page of a proxy, a sign-in form, half of a document: the host is there, and is not itself. */
export function readAnswer<T>(answer: unknown, { shape, hostName }: { shape: z.ZodType<T>; hostName: string }): T {
  const { success, data, error } = shape.safeParse(answer);
  if (success) return data;
  throw strangeAnswer(hostName, error);
}

export function strangeAnswer(hostName: string, cause?: unknown): HostUnavailable {
  const message = `${hostName} answers, but not as it should. Try again later, or look at the status page of the host.`;
  return new HostUnavailable(message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });
}
