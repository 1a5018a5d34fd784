import { invalid } from '../../lib/fault.ts';

/** What lists of leaked passwords begin with, without the digits and marks that people put behind a word. */
const words = new Set([
  'admin',
  'administrator',
  'changeme',
  'football',
  'iloveyou',
  'letmein',
  'lilac',
  'lilacadmin',
  'passw0rd',
  'password',
  'passwort',
  'princess',
  'qwerty',
  'qwertyui',
  'qwertyuiop',
  'qwertz',
  'secret',
  'sunshine',
  'superman',
  'trustno',
  'welcome',
]);
/** And the rows that a finger walks along; each may be walked twice. */
const walks = [
  '01234567890',
  '1234567890',
  '0987654321',
  'abcdefghijklmnopqrstuvwxyz',
  '1q2w3e4r5t6z7u8i9o0p',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc',
  'q1w2e3r4t5',
];

/** Refused where a password is chosen, and never where it is given (NIST SP 800-63B, 3.1.1.2). */
export function refuseObvious(password: string, { email, field }: { email: string; field: string }): void {
  if (!isObvious(password, email)) return;
  throw invalid(`${field} is too common: it would be guessed first. Choose another; a few words are best.`);
}

export function isObvious(password: string, email: string): boolean {
  const typed = password.normalize('NFKC').trim().toLowerCase();
  const address = email.trim().toLowerCase();
  if ([address, address.split('@')[0]].includes(typed)) return true;
  return words.has(typed.replace(/[^a-z]+$/, '')) || isOneLetter(typed) || isWalk(typed);
}

const isOneLetter = (typed: string) => new Set(typed).size === 1;

const isWalk = (typed: string) => walks.some((walk) => (walk + walk).startsWith(typed) || walk.includes(typed));
