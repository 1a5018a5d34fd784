import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { ForgedDelivery } from '../vcs-host.ts';
import { isBoundedJson } from './bounded-json.ts';

/** Only what was proved to be the host's; and a token that proves it may be known to who administers a repository. */
export function parseBody(body: Buffer): unknown {
  if (!isBoundedJson(body)) throw new ForgedDelivery('The body is made to be hard to read.');
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new ForgedDelivery('The body is not JSON.', { cause: error });
  }
}

/** Whatever a host would not send is not from the host. */
export function asSent<T>(content: unknown, shape: z.ZodType<T>): T {
  const { success, data } = shape.safeParse(content);
  if (!success) throw new ForgedDelivery('The body is not what the host would send.');
  return data;
}

export function readBody<T>(body: Buffer, shape: z.ZodType<T>): T {
  return asSent(parseBody(body), shape);
}

/** For hosts that give a delivery no id. */
export function idFromBody(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
