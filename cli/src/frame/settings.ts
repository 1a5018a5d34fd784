import { UsageError } from './usage-error.ts';

export interface Settings {
  apiUrl: string;
  token: string | undefined;
  /** As https://no-color.org has it. */
  wantsColours: boolean;
  /** Whether the terminal shows more than ASCII. */
  hasUnicode: boolean;
}

/** The only place of the command line that reads the environment. */
export function readSettings(environment: Partial<Record<string, string>>): Settings {
  const apiUrl = environment.LILAC_API_URL?.trim() || localUrl(environment.LILAC_PORT?.trim() || '7080');
  if (!/^https?:$/.test(URL.parse(apiUrl)?.protocol ?? '')) {
    throw new UsageError(`LILAC_API_URL must be like https://lilac.example.org, not "${apiUrl}".`);
  }
  return {
    apiUrl,
    token: environment.LILAC_TOKEN?.trim() || undefined,
    wantsColours: !environment.NO_COLOR,
    hasUnicode: hasUnicode(environment),
  };
}

/** The first that is set counts, as POSIX has it. Where none is, as in most containers, terminals are modern. */
function hasUnicode({ LC_ALL, LC_CTYPE, LANG }: Partial<Record<string, string>>): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG;
  return !locale || /utf-?8/i.test(locale);
}

/** A platform on this machine, at the port that its own settings name. */
function localUrl(port: string): string {
  if (!/^\d+$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw new UsageError(`LILAC_PORT must be a whole number from 1 to 65535, not "${port}".`);
  }
  return `http://localhost:${port}`;
}
