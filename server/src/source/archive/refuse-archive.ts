import { Fault } from '../../lib/fault.ts';

/** The message names what is wrong with the archive and what to do. */
export const refuseArchive = (message: string, detail?: unknown): Fault => new Fault('AR001', message, { detail });

export const damaged = (detail: unknown): Fault =>
  refuseArchive('The archive is damaged or incomplete. Make the zip again and upload it whole.', String(detail));

/** A name for a message: whole where it is short, and without what would upset a terminal. */
export function quote(name: string): string {
  const clean = name.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?');
  return `"${clean.length > 200 ? `${clean.slice(0, 200)}…` : clean}"`;
}
