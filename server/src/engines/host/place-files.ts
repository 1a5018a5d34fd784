import { join } from 'node:path';

/** What lies in the folder of a server. */
export const filesOf = (folder: string) => ({
  record: join(folder, 'record.json'),
  /** The file that holds the volume, where there is one. */
  image: join(folder, 'volume.img'),
  /** Mounted on itself and shared, so that other mount namespaces see the volume below it go. */
  base: join(folder, 'v'),
  volume: join(folder, 'v', 'v'),
  home: join(folder, 'v', 'v', 'home'),
  reserve: join(folder, 'v', 'v', 'reserve'),
  mountLock: join(folder, 'mount.lock'),
  log: join(folder, 'server.log'),
});
