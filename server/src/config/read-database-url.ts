import { readFileSync } from 'node:fs';
import { ConfigError } from './read-values.ts';
import type { ReadSetting } from './settings.ts';

/** From the setting, or from the file that stands for it. What is wrong is said without it: it may hold a password. */
export function readDatabaseUrl(read: ReadSetting): string | null {
  const [value, file] = [read('LILAC_DATABASE_URL'), read('LILAC_DATABASE_URL_FILE')];
  if (file === undefined) return value === undefined ? null : checked(value, 'LILAC_DATABASE_URL');
  if (value !== undefined) {
    throw new ConfigError('LILAC_DATABASE_URL and LILAC_DATABASE_URL_FILE are both set: leave one of them out.');
  }
  return checked(contentOf(file), `LILAC_DATABASE_URL_FILE (${file})`);
}

/** Not parsed here: PostgreSQL also allows an empty host, which URL refuses. */
function checked(value: string, where: string): string {
  if (/^postgres(ql)?:\/\/\S+$/.test(value)) return value;
  throw new ConfigError(`${where} must hold something like postgresql://user:password@host:5432/database.`);
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new ConfigError(`LILAC_DATABASE_URL_FILE cannot be read: ${(error as Error).message}.`);
  }
}
