import * as fs from 'node:fs';

/** Opens a file that somebody else has made. A pipe would make us wait, a link would lead us elsewhere. */
export function openPlain(path: string): number {
  const file = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK);
  if (fs.fstatSync(file).isFile()) return file;
  fs.closeSync(file);
  throw new Error(`${path} is not a file.`);
}
