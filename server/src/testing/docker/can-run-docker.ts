import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

const NEEDED = ['dockerd', 'containerd', 'debootstrap', 'ip', 'nsenter', 'unshare', 'setpriv'];
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Says why not, so that nobody takes what was skipped for what was tested. */
export function canRunDocker(): boolean {
  const reason = whyNot();
  if (reason) console.log(`Skipped: no engine of Docker can run here: ${reason}`);
  return reason === null;
}

function whyNot(): string | null {
  if (process.platform !== 'linux') return 'this is not Linux.';
  if (process.getuid?.() !== 0) return 'only root can start one.';
  const missing = NEEDED.filter((program) => !isThere(program));
  return missing.length > 0 ? `${missing.join(', ')} missing; npm test installs them.` : null;
}

const isThere = (program: string): boolean =>
  SYSTEM_PATH.split(':').some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
