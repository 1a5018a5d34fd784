import { start } from '../../lib/exec.ts';
import { StartRefused } from '../runtime.ts';

/** In one order, with no owner of this machine. Times stay: a Python compiles anew what is older than it remembers. */
const ALIKE = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner'];
const MAX_SAID = 1000;

/** The bytes of a tar of the folder, as they come; whatever goes wrong is told in tar's own words. */
export async function* archiveOf(folder: string): AsyncGenerator<Buffer> {
  const tar = start(['tar', '--create', '--file=-', ...ALIKE, '--directory', folder, '.'], {
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  tar.stderr!.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(0, MAX_SAID)));
  const ended = new Promise<string | null>((resolve) => {
    tar.once('error', (error) => resolve(error.message));
    tar.once('close', (code) => resolve(code === 0 ? null : said.trim() || `tar ended with ${code}`));
  });
  for await (const chunk of tar.stdout!) yield chunk as Buffer;
  const trouble = await ended;
  if (trouble) throw new StartRefused(`A tool that it runs on cannot be packed for other machines: ${trouble}`);
}
