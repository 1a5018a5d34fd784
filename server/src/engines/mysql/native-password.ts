import { createHash } from 'node:crypto';

const sha1 = (data: string | Buffer): Buffer => createHash('sha1').update(data).digest();

/**
 * How the server keeps a password. Statements get this and never the password: they are written into the log that a
 * standby follows.
 */
export const nativeHash = (password: string): string => `*${sha1(sha1(password)).toString('hex').toUpperCase()}`;
