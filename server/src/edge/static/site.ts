import type { StaticFile, StaticManifest } from '../../artifacts/static-manifest.ts';
import { compileHeaderRules, type HeaderRules } from './header-rules.ts';
import { createPage, type Page } from './page.ts';
import { compileRedirects, type RedirectRules } from './redirect-rules.ts';

/** Rules of hosting, not pages of the site. */
const RULE_FILES = ['/_redirects', '/_headers'];

/** A static release, ready to answer: its manifest, and what was made of it for earlier requests. */
export class Site {
  readonly isSinglePage: boolean;
  readonly redirects: RedirectRules | null;
  readonly #files: Map<string, StaticFile>;
  readonly #headers: HeaderRules | null;
  /** By the path as it was written: what is asked for again is found at once. */
  readonly #known = new Map<string, Page>();
  readonly #shared = new Map<string, Page>();

  constructor(manifest: StaticManifest) {
    this.#files = new Map(Object.entries(manifest.files));
    for (const path of RULE_FILES) this.#files.delete(path);
    this.isSinglePage = manifest.isSinglePage;
    this.redirects = compileRedirects(manifest.redirects);
    this.#headers = compileHeaderRules(manifest.headers);
  }

  /** What holding the site takes, counted in files. */
  get weight(): number {
    return this.#files.size + (this.redirects?.size ?? 0) + (this.#headers?.size ?? 0);
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** The page that answered at this written path before, if it was a file of its own. */
  known(written: string): Page | undefined {
    return this.#known.get(written);
  }

  remember(written: string, page: Page): void {
    this.#makeRoom(this.#known);
    this.#known.set(written, page);
  }

  /** A file as it answers at an address, which decides the headers it gets. */
  page(filePath: string, status: 200 | 404, at: string): Page {
    const file = this.#files.get(filePath)!;
    const wanted = this.#headers?.at(at);
    const key = `${status} ${wanted?.key ?? ''} ${filePath}`;
    const made = this.#shared.get(key);
    if (made) return made;
    const page = createPage(file, status, wanted?.read() ?? []);
    this.#makeRoom(this.#shared);
    this.#shared.set(key, page);
    return page;
  }

  /** The first page, in all its forms. */
  firstFiles(): { hash: string; size: number }[] {
    const file = this.#files.get('/index.html');
    if (!file) return [];
    return [file, file.variants.br, file.variants.gzip].flatMap((form) => (form && form.size > 0 ? [form] : []));
  }

  /** One address can be written in many ways; nobody fills the memory with them. */
  #makeRoom(pages: Map<string, Page>): void {
    if (pages.size >= 4 * this.#files.size + 64) pages.clear();
  }
}
