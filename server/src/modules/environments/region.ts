import { invalid } from '../../lib/fault.ts';
import { regions } from '../catalogue/platform.ts';

export function assertRegion(region: string): void {
  const known = regions.map(({ id }) => id);
  if (!known.includes(region)) throw invalid(`region must be one of ${known.join(', ')}.`);
}
