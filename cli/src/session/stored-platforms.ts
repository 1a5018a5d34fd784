import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionStore, TokenPair } from '@lilac/sdk';
import { GaveUp } from '../frame/gave-up.ts';
import { withFileLock } from './with-file-lock.ts';
import { writePrivately } from './write-privately.ts';

interface Preferences {
  /** Where somebody signed in last. */
  last?: string;
  /** The organisation that is meant, by platform. */
  organisations?: Record<string, string>;
}

interface StoredSession extends TokenPair {
  apiUrl: string;
}

/** What this person's folder remembers: a session for each platform, and what they prefer. */
export class StoredPlatforms {
  readonly #folder: string | null;

  constructor(folder: string | null) {
    this.#folder = folder;
  }

  last(): string | null {
    return this.#preferences().last ?? null;
  }

  /** Whether somebody is signed in there. */
  knows(apiUrl: string): boolean {
    return this.#readSession(apiUrl) !== null;
  }

  organisation(apiUrl: string): string | null {
    return this.#preferences().organisations?.[apiUrl] ?? null;
  }

  async chooseOrganisation(apiUrl: string, organisationId: string): Promise<void> {
    await this.#prefer(({ organisations, ...rest }) => ({
      ...rest,
      organisations: { ...organisations, [apiUrl]: organisationId },
    }));
  }

  /** Answers the session that this one takes the place of, also where another login stored it a moment ago. */
  async signIn(apiUrl: string, pair: TokenPair): Promise<TokenPair | null> {
    const session = this.session(apiUrl);
    const replaced = await session.lock!(async () => {
      const before = await session.read();
      await session.write(pair);
      return before;
    });
    await this.#prefer((preferences) => ({ ...preferences, last: apiUrl }));
    return replaced;
  }

  async forget(apiUrl: string): Promise<void> {
    const session = this.session(apiUrl);
    await session.lock!(() => session.clear());
    await this.#prefer(({ last, organisations = {}, ...rest }) => {
      const { [apiUrl]: _, ...others } = organisations;
      return { ...rest, ...(last !== apiUrl && last && { last }), organisations: others };
    });
  }

  /** For the SDK, which refreshes by it. */
  session(apiUrl: string): SessionStore {
    const file = () => this.#sessionFile(apiUrl);
    return {
      read: async () => this.#readSession(apiUrl),
      write: async (pair) => writePrivately(file(), toJson({ apiUrl, ...pair })),
      clear: async () => rmSync(file(), { force: true }),
      lock: (work) => withFileLock(`${file()}.lock`, work),
    };
  }

  #readSession(apiUrl: string): TokenPair | null {
    if (this.#folder === null) return null;
    const { apiUrl: owner, ...pair } = readJson<Partial<StoredSession>>(this.#sessionFile(apiUrl));
    return owner === apiUrl && typeof pair.token === 'string' ? (pair as TokenPair) : null;
  }

  #preferences(): Preferences {
    return this.#folder === null ? {} : readJson<Preferences>(this.#preferencesFile());
  }

  async #prefer(change: (preferences: Preferences) => Preferences): Promise<void> {
    const file = this.#preferencesFile();
    await withFileLock(`${file}.lock`, async () => writePrivately(file, toJson(change(readJson<Preferences>(file)))));
  }

  #preferencesFile(): string {
    return join(this.#home(), 'preferences.json');
  }

  /** A name that people recognise; whose it is, the file itself says. */
  #sessionFile(apiUrl: string): string {
    return join(this.#home(), 'sessions', `${apiUrl.replaceAll(/[^a-zA-Z0-9.-]+/g, '_')}.json`);
  }

  #home(): string {
    if (this.#folder !== null) return this.#folder;
    throw new GaveUp('There is no folder to remember it in: set HOME or XDG_CONFIG_HOME.');
  }
}

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** What cannot be understood is as good as nothing: signing in again writes it anew. */
function readJson<T extends object>(file: string): Partial<T> {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new GaveUp(`${file} cannot be read: ${(error as Error).message}`);
  }
}
