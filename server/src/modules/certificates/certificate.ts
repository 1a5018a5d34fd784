import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import type { CertificateRow } from '../../db/schema.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const BACKOFF_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS];

/** How long to wait after so many refusals. */
export function backoffMs(tries: number): number {
  return BACKOFF_MS[Math.min(tries, BACKOFF_MS.length) - 1] ?? 0;
}

const FIRST_PATIENCE_MS = 30_000;
const LONGEST_PATIENCE_MS = 15 * MINUTE_MS;

/**
 * How long to wait for an authority that could not be reached so often: most are back soon. Spread, so that not all
 * come at once.
 */
export function patienceMs(unreached: number, random = Math.random): number {
  const wholeMs = Math.min(LONGEST_PATIENCE_MS, FIRST_PATIENCE_MS * 2 ** Math.max(0, unreached - 1));
  return Math.round(wholeMs * (0.8 + 0.4 * random()));
}

/** What public authorities allow an account, one order after the other: 300 in three hours. */
const THEIR_PACE_MS = 36_000;
const LEAST_SPREAD_MS = 5 * MINUTE_MS;

/** Over how long those that wait for a limit of the whole account come again: as the authority has room for so many. */
export function spreadMs(waiting: number): number {
  return Math.max(LEAST_SPREAD_MS, waiting * THEIR_PACE_MS);
}

interface Life {
  notBefore: Date;
  notAfter: Date;
}

const RENEWED_AFTER = 2 / 3;
const SPREAD = 0.05;

/**
 * At two thirds of its life, and up to a twentieth later by its id: what was issued together is not renewed together.
 * One that comes with most of its life behind it, by a clock of ours that is wrong or by one of theirs, is not ordered
 * again and again.
 */
export function renewTime({ notBefore, notAfter }: Life, id: string, now: Date): Date {
  const lifeMs = notAfter.getTime() - notBefore.getTime();
  const leftMs = notAfter.getTime() - now.getTime();
  const renewMs = notBefore.getTime() + lifeMs * (RENEWED_AFTER + SPREAD * shareOf(id));
  return new Date(Math.max(renewMs, now.getTime() + (leftMs > 0 ? leftMs / 3 : HOUR_MS)));
}

/** From 0 to 1, always the same for the same id. */
export function shareOf(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE() / 2 ** 32;
}

type Due = Pick<CertificateRow, 'chain' | 'renew_at' | 'next_try_at' | 'limited_until' | 'waits_until'>;
/** A job may come a moment before its time, by the clock of another machine. */
const EARLY_MS = 1000;

/** Whether one is to be got now: there is none, or another is to take its place; and it need not wait. */
export function isDue({ chain, renew_at, next_try_at, limited_until, waits_until }: Due, now: Date): boolean {
  const latest = now.getTime() + EARLY_MS;
  const hasCome = (time: Date | null) => time === null || time.getTime() <= latest;
  const isWanted = chain === null || (renew_at !== null && hasCome(renew_at));
  return isWanted && [next_try_at, limited_until, waits_until].every(hasCome);
}

type Failing = Pick<CertificateRow, 'chain' | 'not_after' | 'is_revoked'>;
/** It is tried again soon, for some minutes: not yet worth calling it a failure. */
const TRIES_UNAVAILABLE = 4;
const TRIES_RENEWING = 5;

/**
 * What one is called after so many attempts in vain. One that can still be shown is not lost by the first of them, and
 * not at all by an authority that is away: when it is about to end, that is told.
 */
export function statusAfterFailure(
  row: Failing,
  { tries, isRefused, now }: { tries: number; isRefused: boolean; now: Date },
): CertificateRow['status'] {
  const isGood = row.chain !== null && !row.is_revoked && row.not_after !== null && row.not_after > now;
  if (isGood) return isRefused && tries >= TRIES_RENEWING ? 'failed' : 'renewing';
  return row.chain === null && !isRefused && tries < TRIES_UNAVAILABLE ? 'provisioning' : 'failed';
}

/**
 * What one is called while the authority takes no order of the account: that is nobody's failure, and mends none. One
 * that was revoked is no certificate.
 */
export function statusWhileLimited({
  status,
  chain,
  is_revoked,
}: Pick<CertificateRow, 'status' | 'chain' | 'is_revoked'>): CertificateRow['status'] {
  if (status === 'failed' || is_revoked) return 'failed';
  return chain === null ? 'provisioning' : 'renewing';
}

const WARNED_AT = 1 / 6;

/** Less than a sixth of its life is left: by then another should long have taken its place. */
export function isEnding({ notBefore, notAfter }: Life, now: Date): boolean {
  const left = notAfter.getTime() - now.getTime();
  return left < (notAfter.getTime() - notBefore.getTime()) * WARNED_AT;
}

type Renewed = Pick<CertificateRow, 'is_revoked' | 'not_before' | 'not_after'>;

/** Whether what there is cannot be shown for much longer: its renewal waits for no pace of the platform's own. */
export function isUrgent({ is_revoked, not_before: notBefore, not_after: notAfter }: Renewed, now: Date): boolean {
  return is_revoked || notBefore === null || notAfter === null || isEnding({ notBefore, notAfter }, now);
}

/** From when on that is so, of one that is good. */
export function urgentFrom({ not_before, not_after }: Pick<Renewed, 'not_before' | 'not_after'>): Date {
  const [fromMs, endMs] = [not_before?.getTime() ?? 0, not_after?.getTime() ?? 0];
  return new Date(endMs - (endMs - fromMs) * WARNED_AT);
}

/** What is said first where one is shown that nobody should believe any more. */
export const ofRevoked = ({ is_revoked }: Pick<CertificateRow, 'is_revoked'>): string =>
  is_revoked ? 'The certificate that is shown was revoked, and has no successor yet. ' : '';

export interface Issued extends Life {
  issuer: string;
  serial: string;
  /** It names somebody who can be asked whether it is still good. */
  hasResponder: boolean;
}

/** Null where it is no certificate for the name and the key. */
export function readIssued(
  chain: string,
  { hostname, privateKey }: { hostname: string; privateKey: string },
): Issued | null {
  const leaf = readLeaf(chain);
  if (!leaf || !namesOf(leaf).includes(hostname) || !leaf.checkPrivateKey(createPrivateKey(privateKey))) return null;
  return {
    notBefore: leaf.validFromDate,
    notAfter: leaf.validToDate,
    issuer: /^(?:CN|O)=(.+)$/m.exec(leaf.issuer)?.[1] ?? leaf.issuer.replaceAll('\n', ', '),
    serial: leaf.serialNumber.toLowerCase(),
    hasResponder: /^OCSP - URI:http/m.test(leaf.infoAccess ?? ''),
  };
}

function readLeaf(chain: string): X509Certificate | null {
  try {
    return new X509Certificate(chain);
  } catch {
    return null;
  }
}

function namesOf(leaf: X509Certificate): string[] {
  return (leaf.subjectAltName ?? '').split(', ').flatMap((name) => (name.startsWith('DNS:') ? [name.slice(4)] : []));
}
