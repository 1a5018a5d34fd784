import type { Response } from '../../../http/handler.ts';
import type { KeptAnswer } from './kept-answers.ts';

/** Whoever reads an old answer is told how old it is. */
export function tellAge<T>(response: Pick<Response, 'setAsOf'>, { value, asOf }: KeptAnswer<T>): T {
  if (asOf) response.setAsOf(asOf);
  return value;
}
