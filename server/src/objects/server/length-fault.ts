import { Fault } from '../../lib/fault.ts';
import type { PutTerms } from '../object-store.ts';

/** What is wrong with a body of so many bytes, by what the address was signed for: null where nothing is. */
export function lengthFault(length: number, size: PutTerms['size']): Fault | null {
  const most = 'exact' in size ? size.exact : size.max;
  if (length > most) {
    return new Fault('LM002', `The address takes ${'exact' in size ? 'exactly' : 'at most'} ${most} bytes.`);
  }
  if ('exact' in size && length < most) {
    return new Fault('VA001', `${most} bytes were announced, and ${length} were sent. Send the whole file.`);
  }
  return null;
}
