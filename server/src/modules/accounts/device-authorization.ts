import { randomInt } from 'node:crypto';
import { Fault } from '../../lib/fault.ts';

/** RFC 8628, section 3.4. */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
export const DEVICE_CODE_SECONDS = 600;
export const POLL_INTERVAL_SECONDS = 5;
/** What `slow_down` adds to the interval (section 3.5). */
const SLOW_DOWN_SECONDS = 5;
/** A client that keeps the interval may still arrive a little early: networks are uneven. */
const POLL_TOLERANCE_MS = 250;

/** Section 6.1: no vowels, so that no words appear; 20^8 codes, and guessing is throttled. */
const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const USER_CODE_LENGTH = 8;
const USER_CODE = new RegExp(`^[${USER_CODE_LETTERS}]{${USER_CODE_LENGTH}}$`);

export function newUserCode(): string {
  return Array.from({ length: USER_CODE_LENGTH }, () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)]).join(
    '',
  );
}

export function showUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Whatever people put between the letters goes; null for what cannot be a code. */
export function normaliseUserCode(text: string): string | null {
  const code = text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  return USER_CODE.test(code) ? code : null;
}

export interface PollState {
  state: 'pending' | 'approved' | 'denied' | 'consumed';
  expires_at: Date;
  last_polled_at: Date | null;
  interval_seconds: number;
}

export type PollOutcome = DeviceError | 'approved';

/** What a poll is answered (section 3.5), and the interval the next one has to keep. */
export function judgePoll(device: PollState, now: Date): { outcome: PollOutcome; intervalSeconds: number } {
  const isTooSoon = device.state === 'pending' && device.expires_at > now && comesTooSoon(device, now);
  const intervalSeconds = device.interval_seconds + (isTooSoon ? SLOW_DOWN_SECONDS : 0);
  return { outcome: isTooSoon ? 'slow_down' : outcomeOf(device, now), intervalSeconds };
}

function outcomeOf({ state, expires_at: expiresAt }: PollState, now: Date): PollOutcome {
  if (state === 'consumed') return 'invalid_grant';
  if (state === 'denied') return 'access_denied';
  if (expiresAt <= now) return 'expired_token';
  return state === 'approved' ? 'approved' : 'authorization_pending';
}

function comesTooSoon(device: PollState, now: Date): boolean {
  if (!device.last_polled_at) return false;
  const sinceLastMs = now.getTime() - device.last_polled_at.getTime();
  return sinceLastMs < device.interval_seconds * 1000 - POLL_TOLERANCE_MS;
}

const descriptions = {
  authorization_pending: 'Nobody has decided about this device yet. Keep polling at the interval.',
  slow_down: 'Polled too often: the interval is now 5 seconds longer.',
  access_denied: 'The sign-in of this device was refused.',
  expired_token: 'The device code has expired. Start again.',
  invalid_grant: 'The device code is unknown, was used before, or belongs to another client.',
  unsupported_grant_type: `The grant type must be ${DEVICE_GRANT}.`,
};

export type DeviceError = keyof typeof descriptions;

/** The shape of RFC 6749, section 5.2, beside the one every error here has. */
export function deviceFault(error: DeviceError): Fault {
  const description = descriptions[error];
  return new Fault('VA001', description, { fields: { error, error_description: description } });
}
