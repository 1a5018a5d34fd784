import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOAD_CORE } from '../edge-static/cores.ts';
import { freePort, type Peer } from '../edge-static/servers.ts';
import { SERVES_FILES, startNginx } from '../edge-static/start-nginx.ts';

/** What the application answers, and how large that is. */
export const ANSWERS = { '/200b': 200, '/64k': 65_536 } as const;

/** The application: nginx, since nothing that costs less is at hand. It shares the core of the load. */
export async function startInstance(folder: string): Promise<Peer> {
  const port = await freePort();
  const own = join(folder, 'instance');
  mkdirSync(join(own, 'files'), { recursive: true });
  for (const [path, size] of Object.entries(ANSWERS)) writeFileSync(join(own, 'files', path), 'x'.repeat(size));
  const http = `default_type text/plain; ${SERVES_FILES} open_file_cache max=10;
      server {
        listen 127.0.0.1:${port} backlog=4096; root ${own}/files;
        add_header X-Powered-By app; add_header Cache-Control "private, no-cache"; add_header Vary Accept-Encoding;
      }`;
  return startNginx({ name: 'instance', folder: own, port, http, connections: 4096, core: LOAD_CORE });
}
