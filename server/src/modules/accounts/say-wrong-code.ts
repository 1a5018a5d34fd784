/** What to try next, by what was sent: the codes of the authenticator have no letters. */
export function sayWrongCode(code: string): string {
  return /\p{L}/u.test(code)
    ? 'The recovery code is wrong or was used before. Try another one, or the code of your authenticator app.'
    : 'The code is wrong or was used before. Wait for the next one, or use a recovery code.';
}
