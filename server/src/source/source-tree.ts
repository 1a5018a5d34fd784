/**
 * The files of a project, wherever they are: a folder, an archive that was not unpacked, a commit of a
 * repository. Read-only. Paths are relative with forward slashes; `''` is the root. A link is never
 * followed out of the tree; nothing in it is ever run.
 */
export interface SourceTree {
  /** In the order of their names; empty when there is no such folder. */
  list(folder: string): Promise<TreeEntry[]>;
  /** The text of a file, cut off after a mebibyte; null when there is no such file. */
  read(path: string): Promise<string | null>;
}

/** How much of a file is read. */
export const MAX_READ_BYTES = 1024 * 1024;

export interface TreeEntry {
  name: string;
  kind: 'file' | 'folder';
}
