/** By path: content, a symbolic link, a program, or null to remove it. */
export type TestFiles = Record<string, string | Uint8Array | { link: string } | { program: string } | null>;

export interface CommitOptions {
  files: TestFiles;
  message?: string;
  /** `main` when left out. One that is not there begins where `main` is. */
  branch?: string;
  /** Throws the branch's history away first: what a force-push does. */
  isForced?: boolean;
}

type RunGit = (args: string[], input?: Buffer) => Promise<string>;

/** Writes a commit into a bare repository in one breath, however many files it has. Answers its sha. */
export async function fastImport(git: RunGit, options: CommitOptions): Promise<string> {
  const { files, message = 'Change', branch = 'main', isForced = false } = options;
  const ref = `refs/heads/${branch}`;
  const parent = isForced ? null : ((await shaOf(git, ref)) ?? (await shaOf(git, 'refs/heads/main')));
  const stream = [
    `commit ${ref}\ncommitter A Tester <tester@example.org> ${Math.floor(Date.now() / 1000)} +0000\n`,
    data(message),
    parent ? `from ${parent}\n` : '',
    ...Object.entries(files).flatMap(([path, content]) => fileCommand(path, content)),
    '\ndone\n',
  ];
  const input = Buffer.concat(stream.map((part) => Buffer.from(part)));
  await git(['fast-import', '--quiet', '--force', '--done'], input);
  return git(['rev-parse', ref]);
}

async function shaOf(git: RunGit, ref: string): Promise<string | null> {
  return (await git(['for-each-ref', '--format=%(objectname)', ref])) || null;
}

function fileCommand(path: string, content: TestFiles[string]): Uint8Array[] {
  const name = `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  if (content === null) return [Buffer.from(`D ${name}\n`)];
  if (typeof content === 'string' || content instanceof Uint8Array) {
    return [Buffer.from(`M 100644 inline ${name}\n`), data(content)];
  }
  const [mode, text] = 'link' in content ? ['120000', content.link] : ['100755', content.program];
  return [Buffer.from(`M ${mode} inline ${name}\n`), data(text)];
}

function data(content: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
}
