const FIRST_MS = 10_000;
const LONGEST_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** So many looks are three days. */
const PATIENT_LOOKS = 437;

/** After so many looks in vain, one after the other. Spread, so that domains are not all looked at in one moment. */
export function nextCheckMs(failedChecks: number, random = Math.random): number {
  const isPatient = failedChecks > 0 && failedChecks <= PATIENT_LOOKS;
  if (isPatient) return Math.min(LONGEST_MS, FIRST_MS * 2 ** (failedChecks - 1));
  return DAY_MS * (0.9 + random() / 10);
}
