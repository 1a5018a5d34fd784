/** PostgreSQL's and MariaDB's words for a wrong password. */
const WRONG_PASSWORD: readonly unknown[] = ['28P01', 'ER_ACCESS_DENIED_ERROR'];

export const OTHER_PASSWORD =
  "its owner's password is not the one that was given out last: somebody has changed it by SQL. Rotate the password, then try again.";

/** Whether a server did not let its owner in: owners may change their password by themselves, and nobody is told. */
export function hasOtherPassword(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (WRONG_PASSWORD.includes((cause as { code?: unknown }).code)) return true;
  }
  return false;
}
