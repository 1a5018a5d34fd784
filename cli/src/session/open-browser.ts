import { spawn } from 'node:child_process';
import type { Environment } from '../frame/settings.ts';

/** Whether there is a browser that the person in front of this terminal would see. */
export function hasBrowser(environment: Environment, platform: NodeJS.Platform = process.platform): boolean {
  if (environment.CI || environment.SSH_CONNECTION || environment.SSH_TTY) return false;
  if (environment.BROWSER || platform === 'darwin' || platform === 'win32') return true;
  return Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY || environment.WSL_DISTRO_NAME);
}

/** Tries to; whether a page appeared, nobody can tell. Answers false where nothing could be started. */
export async function openBrowser(address: string, environment: Environment): Promise<boolean> {
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '')) return false;
  const [program, ...words] = browserCommand(environment, process.platform);
  return await new Promise((resolve) => {
    const child = spawn(program!, [...words, address], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
    child.unref();
  });
}

function browserCommand({ BROWSER, WSL_DISTRO_NAME }: Environment, platform: NodeJS.Platform): string[] {
  // A list of programs, as Debian has it: the first will do.
  const own = BROWSER?.split(':')[0]?.trim();
  if (own && !own.includes('%')) return own.split(/\s+/);
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return WSL_DISTRO_NAME ? ['wslview'] : ['xdg-open'];
}
