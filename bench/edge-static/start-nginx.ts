import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPeer, type Peer, type PeerOptions } from './servers.ts';

interface Nginx extends Pick<PeerOptions, 'port' | 'core' | 'patienceMs'> {
  /** Left out: nginx. */
  name?: string;
  /** Its own; made where it is not there. */
  folder: string;
  /** What of its configuration's `http` is not the same for all of ours. */
  http: string;
  connections?: number;
}

/** In `http`, as who serves files sets it. */
export const SERVES_FILES = 'types { application/octet-stream bin; } sendfile on; tcp_nopush on;';

/** Without a log, on one worker, with connections that live for as many requests as come. */
export function startNginx({ name = 'nginx', folder, http, connections = 1024, ...options }: Nginx): Promise<Peer> {
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `${user} daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
    events { worker_connections ${connections}; }
    http {
      access_log off; keepalive_requests 1000000000;
      client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
      ${http}
    }`,
  );
  return startPeer({ ...options, name, argv: ['nginx', '-p', folder, '-c', file] });
}
