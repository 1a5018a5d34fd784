import { Fault } from '../../lib/fault.ts';
import type { Repository } from './repository.ts';

export const linksTangled = ({ owner, name }: Repository): Fault =>
  new Fault(
    'VA003',
    `The links in ${owner}/${name} are too tangled to be followed. Replace them by what they lead to.`,
  );
