import { invalid } from '../../lib/fault.ts';

const CURSOR = /^l([1-9]\d{0,15})$/;

/** Names the line that the next page ends before. */
export function presentCursor(beforeLine: number): string {
  return Buffer.from(`l${beforeLine}`).toString('base64url');
}

export function parseCursor(text: string): number {
  const line = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1'))?.[1];
  if (line === undefined || presentCursor(Number(line)) !== text) {
    throw invalid('cursor is not valid: send the X-Next-Cursor header of the page before, or leave it out.');
  }
  return Number(line);
}
