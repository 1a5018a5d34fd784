import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../lib/find-program.ts';
import { startGitHost, type GitHost } from '../../testing/git-host.ts';
import { createGitSubject } from './testing/git-subject.ts';

let host: GitHost;
beforeAll(async () => {
  host = await startGitHost();
});
afterAll(() => host[Symbol.asyncDispose]());

const MEBIBYTE = 1024 ** 2;

const commitText = (tree: string) =>
  `tree ${tree}\nauthor t <t@e> 1700000000 +0000\ncommitter t <t@e> 1700000000 +0000\n\n`;

async function writeObject(name: string, kind: string, bytes: Buffer): Promise<string> {
  return host.git(name, ['hash-object', '-t', kind, '--literally', '-w', '--stdin'], bytes);
}

describe.runIf(findProgram(['prlimit'], process.env.PATH ?? ''))(
  'an object that is small only while it is packed',
  () => {
    it('is not unpacked into more memory than git may have, and it is told', async () => {
      await host.createRepository('evil/commit', { 'index.html': 'x' });
      const tree = await host.git('evil/commit', ['rev-parse', 'main^{tree}']);
      const commit = await writeObject(
        'evil/commit',
        'commit',
        Buffer.concat([Buffer.from(commitText(tree)), Buffer.alloc(200 * MEBIBYTE, 'a')]),
      );
      await host.git('evil/commit', ['update-ref', 'refs/heads/main', commit]);
      using subject = createGitSubject(host, { memoryBytes: 128 * MEBIBYTE });
      const message = expect.stringMatching(/^evil\/commit has an object .* too large/) as string;
      await expect(subject.checkOut('evil/commit')).rejects.toMatchObject({ code: 'VA003', message });
    });

    it('is written file by file where it is a file, however large', async () => {
      await host.createRepository('good/file', { 'index.html': 'x' });
      const blob = await writeObject('good/file', 'blob', Buffer.alloc(200 * MEBIBYTE, 'a'));
      const tree = await host.git('good/file', ['mktree'], `100644 blob ${blob}\tlarge.bin\n`);
      const commit = await writeObject('good/file', 'commit', Buffer.from(commitText(tree)));
      await host.git('good/file', ['update-ref', 'refs/heads/main', commit]);
      using subject = createGitSubject(host, { memoryBytes: 128 * MEBIBYTE });
      expect((await subject.checkOut('good/file')).files['large.bin']!.length).toBe(200 * MEBIBYTE);
    });
  },
);
