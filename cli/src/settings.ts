import { UsageError } from './usage-error.ts';

export interface Settings {
  apiUrl: string;
  token: string | undefined;
}

/** The only place of the command line that reads the environment. */
export function readSettings(environment: Partial<Record<string, string>>): Settings {
  const apiUrl = environment.LILAC_API_URL?.trim() || 'http://localhost:7080';
  if (!/^https?:$/.test(URL.parse(apiUrl)?.protocol ?? '')) {
    throw new UsageError(`LILAC_API_URL must be like https://lilac.example.org, not "${apiUrl}".`);
  }
  return { apiUrl, token: environment.LILAC_TOKEN?.trim() || undefined };
}
