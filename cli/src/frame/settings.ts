import { isAbsolute, join } from 'node:path';
import { readAddress } from '../session/read-address.ts';
import { UsageError } from './usage-error.ts';

export type Environment = Partial<Record<string, string>>;

export interface Settings {
  /** Where the platform is, as LILAC_API_URL says; undefined where it does not. */
  apiUrl: string | undefined;
  /** A platform on this machine, at the port that its own settings name. */
  localUrl: string;
  token: string | undefined;
  /** Where sessions are kept; null where nothing says whose home it is. */
  configFolder: string | null;
  /** As https://no-color.org has it. */
  wantsColours: boolean;
  /** Whether the terminal shows more than ASCII. */
  hasUnicode: boolean;
}

/** What the environment says of the program itself. */
export function readSettings(environment: Environment): Settings {
  const apiUrl = environment.LILAC_API_URL?.trim();
  return {
    apiUrl: apiUrl ? readAddress(apiUrl, 'LILAC_API_URL') : undefined,
    localUrl: localUrl(environment.LILAC_PORT?.trim() || '7080'),
    token: environment.LILAC_TOKEN?.trim() || undefined,
    configFolder: configFolder(environment),
    wantsColours: !environment.NO_COLOR,
    hasUnicode: hasUnicode(environment),
  };
}

/** As the XDG base directories have it: a relative path is none. */
function configFolder({ XDG_CONFIG_HOME = '', HOME, USERPROFILE }: Environment): string | null {
  if (isAbsolute(XDG_CONFIG_HOME)) return join(XDG_CONFIG_HOME, 'lilac');
  const home = HOME || USERPROFILE;
  return home ? join(home, '.config', 'lilac') : null;
}

/** The first that is set counts, as POSIX has it. Where none is, as in most containers, terminals are modern. */
function hasUnicode({ LC_ALL, LC_CTYPE, LANG }: Environment): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG;
  return !locale || /utf-?8/i.test(locale);
}

function localUrl(port: string): string {
  if (!/^\d+$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw new UsageError(`LILAC_PORT must be a whole number from 1 to 65535, not "${port}".`);
  }
  return `http://localhost:${port}`;
}
