import { isNeverSent } from '@lilac/contract/source-files/judge-entry';
import type { Dropped } from './dropped-file.ts';
import { Refusal } from './refusal.ts';
import type { Listing, SourceFile, SourceFolder } from './source-folder.ts';
import { sourceOf } from './source-of.ts';
import { showMarks } from './visible-name.ts';

/**
 * One archive as it is; anything else is packed, of a folder what is its source. Throws a `Refusal` for a lone file
 * that is no page: most are archives of another kind, and one packed into a zip would fail only when it is built.
 */
export async function droppedOf(top: SourceFolder): Promise<Dropped> {
  const listing = await top.list();
  const [file, ...others] = listing.files;
  const only = listing.folders.size + others.length === 0 ? file : undefined;
  if (only && /\.zip$/i.test(only[0])) return { name: only[0].replace(/\.zip$/i, ''), archive: await only[1].read() };
  const found = lookedAt(listing);
  const [folder] = found.folders.size === 1 && found.files.size === 0 ? found.folders : [];
  const { files, leftOut } = await sourceOf(folder?.[1] ?? top);
  if (only && files.length > 0 && !/\.html?$/i.test(only[0])) throw new Refusal(notZip(only[0]));
  return { name: folder?.[0] ?? nameOfOne(found.files) ?? 'site', files, leftOut };
}

export function notZip(name: string): string {
  return `${showMarks(name)} is not a zip. Pack the project into a .zip, or give the folder itself.`;
}

/** Both of an archive with files and of an empty one. */
const ZIP_STARTS = ['PK\u0003\u0004', 'PK\u0005\u0006'];

/** What is called a zip may be something else, and would fail only when it is built. */
export async function isZip(file: Blob): Promise<boolean> {
  const bytes = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  return ZIP_STARTS.includes(String.fromCodePoint(...bytes));
}

/** Without what is never sent and lies beside by chance. */
function lookedAt({ files, folders }: Listing): Listing {
  return { files: new Map([...files].filter(isLookedAt)), folders: new Map([...folders].filter(isLookedAt)) };
}

/** The rules of `.lilacignore` are read, and then not sent. */
const isLookedAt = ([name]: [string, unknown]): boolean => name === '.lilacignore' || !isNeverSent(name);

function nameOfOne(files: ReadonlyMap<string, SourceFile>): string | undefined {
  const [name] = files.size === 1 ? files.keys() : [];
  return name?.replace(/\.[^.]+$/, '');
}
