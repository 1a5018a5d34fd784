import { generateSecret, generateURI, verifySync } from 'otplib';

const STEP_SECONDS = 30;
const CODE = /^\d{6}$/;

/** 160 random bits in base 32, as RFC 4226 recommends. */
export function newTotpSecret(): string {
  return generateSecret({ length: 20 });
}

export function otpauthUrl(secret: string, email: string): string {
  return generateURI({ issuer: 'Lilac', label: email, secret });
}

/** People type the space that their app shows in the middle. */
export function normaliseTotpCode(text: string): string | null {
  const code = text.replace(/\s/g, '');
  return CODE.test(code) ? code : null;
}

/**
 * The time step whose code this is, or null. The steps before and after the present one count too:
 * clocks differ and people type slowly. Whether the step was used before is for the store to say.
 */
export function totpStepOf(secret: string, code: string, now: Date): number | null {
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: STEP_SECONDS,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}
