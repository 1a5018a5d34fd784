import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOAD_CORE } from '../edge-static/cores.ts';
import { freePort, startPeer, type Peer } from '../edge-static/servers.ts';

/** What the application answers, and how large that is. */
export const ANSWERS = { '/200b': 200, '/64k': 65_536 } as const;

/** The application: nginx, since nothing that costs less is at hand. It shares the core of the load. */
export async function startInstance(folder: string): Promise<Peer> {
  const port = await freePort();
  const own = join(folder, 'instance');
  mkdirSync(join(own, 'files'), { recursive: true });
  for (const [path, size] of Object.entries(ANSWERS)) writeFileSync(join(own, 'files', path), 'x'.repeat(size));
  const file = join(own, 'nginx.conf');
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${own}/nginx.pid; error_log ${own}/nginx.log;
    events { worker_connections 4096; }
    http {
      default_type text/plain; sendfile on; tcp_nopush on; access_log off; keepalive_requests 1000000000;
      open_file_cache max=10; client_body_temp_path ${own}/body; proxy_temp_path ${own}/proxy;
      fastcgi_temp_path ${own}/fastcgi; uwsgi_temp_path ${own}/uwsgi; scgi_temp_path ${own}/scgi;
      server {
        listen 127.0.0.1:${port} backlog=4096; root ${own}/files;
        add_header X-Powered-By app; add_header Cache-Control "private, no-cache"; add_header Vary Accept-Encoding;
      }
    }`,
  );
  return startPeer({ name: 'instance', port, argv: ['nginx', '-p', own, '-c', file], core: LOAD_CORE });
}
