import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startPeer, type Peer } from '../edge-static/servers.ts';
import { nameOf } from './make-certificates.ts';

/** Without a log, on one worker, with a server for each name. */
export async function startNginxWith(folder: string, certificates: number): Promise<Peer> {
  const port = await freePort();
  const file = join(folder, `nginx-${certificates}.conf`);
  const servers = Array.from(
    { length: certificates },
    (_, n) =>
      `server { listen 127.0.0.1:${port} ssl; server_name ${nameOf(n)};
        ssl_certificate ${folder}/pem/${n}.pem; ssl_certificate_key ${folder}/pem/${n}.pem; return 200; }`,
  );
  writeFileSync(
    file,
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
    events { worker_connections 1024; }
    http {
      access_log off; server_names_hash_max_size 65536; server_names_hash_bucket_size 128;
      client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
      ${servers.join('\n')}
    }`,
  );
  return startPeer({ name: 'nginx', port, argv: ['nginx', '-p', folder, '-c', file], patienceMs: 120_000 });
}
