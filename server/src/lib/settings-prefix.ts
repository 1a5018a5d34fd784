import { homedir } from 'node:os';
import { join } from 'node:path';

const DEFAULT_PORT = 7080;

export interface Installation {
  home: string;
  port: number;
  databaseUrl: string | null;
}

/** Before a command that is told to a person: another terminal does not have the settings of this installation. */
export function settingsPrefix({ home, port, databaseUrl }: Installation): string {
  return [
    ...(home === join(homedir(), '.lilac') ? [] : [`LILAC_HOME=${quote(home)} `]),
    ...(port === DEFAULT_PORT ? [] : [`LILAC_PORT=${port} `]),
    // It holds a password, which belongs into no log.
    ...(databaseUrl === null ? [] : ['LILAC_DATABASE_URL=… ']),
  ].join('');
}

function quote(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
