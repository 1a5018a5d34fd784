import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestKey, type StaticManifest } from '../../artifacts/static-manifest.ts';
import type { StaticTarget } from '../../routing/route.ts';
import type { ObjectCache } from '../cache/object-cache.ts';
import { SecondChanceCache } from '../second-chance-cache.ts';
import { Site } from './site.ts';

/** Files of all sites that are held at a time, and rules; an entry takes some hundred bytes. */
const MAX_FILES = 400_000;
/** What a site weighs besides those. */
const SITE_WEIGHT = 10;
/** What could not be read is not tried again for each request. */
const FAILURE_LASTS_MS = 1000;

export interface SiteLibraryOptions {
  /** The folder that holds the objects. */
  root: string;
  maxFiles?: number;
  /** Where the objects are elsewhere: what brings them here. */
  cache?: ObjectCache | undefined;
}

/** Releases by their manifests, read when they are first needed; those used lately are kept. */
export class SiteLibrary {
  readonly #root: string;
  readonly #cache: ObjectCache | undefined;
  readonly #sites: SecondChanceCache<Site>;
  readonly #loading = new Map<string, Promise<Site>>();

  constructor({ root, maxFiles = MAX_FILES, cache }: SiteLibraryOptions) {
    this.#root = root;
    this.#cache = cache;
    this.#sites = new SecondChanceCache(maxFiles);
  }

  /** The release, if it is here already. */
  peek(target: StaticTarget): Site | undefined {
    return this.#sites.get(keyOf(target));
  }

  /** Fails when the manifest is not there or is none. */
  load(target: StaticTarget): Promise<Site> {
    const site = this.peek(target);
    if (site) return Promise.resolve(site);
    const key = keyOf(target);
    const underWay = this.#loading.get(key);
    if (underWay) return underWay;
    const loading = this.#read(target, key);
    this.#loading.set(key, loading);
    loading.then(
      () => this.#loading.delete(key),
      () => setTimeout(() => this.#loading.delete(key), FAILURE_LASTS_MS).unref(),
    );
    return loading;
  }

  /** Loads what must be here before the release answers: where files come from elsewhere, the first page as well. */
  async prepare(target: StaticTarget): Promise<void> {
    const site = await this.load(target);
    const cache = this.#cache;
    if (cache) await Promise.all(site.firstFiles().map(({ hash, size }) => cache.bringBlob(hash, size)));
  }

  async #read(target: StaticTarget, key: string): Promise<Site> {
    const { artifactId } = target;
    const manifest = this.#cache ? await this.#cache.readManifest(target) : await this.#readFile(artifactId);
    if (manifest.version !== 1) throw new Error(`The manifest of ${artifactId} is of a version that is not known.`);
    const site = new Site(manifest);
    this.#sites.set(key, site, site.weight + SITE_WEIGHT);
    return site;
  }

  async #readFile(artifactId: string): Promise<StaticManifest> {
    return JSON.parse(await readFile(join(this.#root, manifestKey(artifactId)), 'utf8')) as StaticManifest;
  }
}

/** One string per target, made once: it is looked up for every request. */
const keys = new WeakMap<StaticTarget, string>();

function keyOf(target: StaticTarget): string {
  const known = keys.get(target);
  if (known !== undefined) return known;
  const key = `${target.artifactId} ${target.revision}`;
  keys.set(target, key);
  return key;
}
