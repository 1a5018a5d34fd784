import type { Config, Environment } from '../../config.ts';

export type CheckStatus = 'ok' | 'warn' | 'fail';

/** `warn`: Lilac runs, but something will not work or is risky. `fail`: Lilac does not run like this. */
export interface Finding {
  status: CheckStatus;
  found: string;
  /** What to do about it. */
  advice: string | null;
}

/** What a check may look at, besides the machine itself. */
export interface CheckedHost {
  config: Config;
  environment: Environment;
}

export interface Check {
  /** Stable, for scripts: `home.folder`. */
  id: string;
  /** For people: `Home folder`. */
  title: string;
  /** Whether it must look into LILAC_HOME, which only its owner can. */
  needsHome?(config: Config): boolean;
  look(host: CheckedHost): Finding | Promise<Finding>;
}

export interface CheckFamily {
  title: string;
  checks: readonly Check[];
}

export const ok = (found: string): Finding => ({ status: 'ok', found, advice: null });
export const warn = (found: string, advice: string): Finding => ({ status: 'warn', found, advice });
export const fail = (found: string, advice: string): Finding => ({ status: 'fail', found, advice });
