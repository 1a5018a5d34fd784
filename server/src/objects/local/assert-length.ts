import { Fault } from '../../lib/fault.ts';
import type { PutTerms } from '../object-store.ts';

/** Whether a body of so many bytes is what the address was signed for. */
export function assertLength(length: number, size: PutTerms['size']): void {
  const most = 'exact' in size ? size.exact : size.max;
  if (length > most) {
    throw new Fault('LM002', `The address takes ${'exact' in size ? 'exactly' : 'at most'} ${most} bytes.`);
  }
  if ('exact' in size && length < most) {
    throw new Fault('VA001', `${most} bytes were announced, and ${length} were sent. Send the whole file.`);
  }
}
