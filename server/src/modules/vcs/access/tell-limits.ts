import type { Response } from '../../../http/handler.ts';
import type { KeptAnswer } from './kept-answers.ts';

/** Whoever reads an answer that is old or not whole is told how old it is, and whose part is missing. */
export function tellLimits<T>(
  response: Pick<Response, 'setAsOf' | 'setPartial'>,
  { value, asOf, missing = [] }: KeptAnswer<T> & { missing?: string[] },
): T {
  if (asOf) response.setAsOf(asOf);
  if (missing.length > 0) response.setPartial(missing);
  return value;
}
