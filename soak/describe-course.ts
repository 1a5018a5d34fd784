import type { Course } from './flatness.ts';

/** One line for people. */
export function describeCourse({ name, unit, early, late, perDay, isFlat }: Course): string {
  const verdict = isFlat === null ? 'no bar' : isFlat ? 'flat' : 'GROWS';
  const change = `${name.padEnd(24)} ${withUnit(`${early.toFixed(1)} -> ${late.toFixed(1)}`, unit)}`;
  return `${change.padEnd(56)} ${withUnit(signed(perDay), unit)} a day`.padEnd(80) + verdict;
}

const withUnit = (text: string, unit: string): string => (unit ? `${text} ${unit}` : text);

const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(1)}`;
