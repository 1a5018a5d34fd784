import { freePort, type Peer } from '../edge-static/servers.ts';
import { startNginx } from '../edge-static/start-nginx.ts';
import { nameOf } from './make-certificates.ts';

/** With a server for each name. */
export async function startNginxWith(folder: string, certificates: number): Promise<Peer> {
  const port = await freePort();
  const servers = Array.from(
    { length: certificates },
    (_, n) =>
      `server { listen 127.0.0.1:${port} ssl; server_name ${nameOf(n)};
        ssl_certificate ${folder}/pem/${n}.pem; ssl_certificate_key ${folder}/pem/${n}.pem; return 200; }`,
  );
  const http = `server_names_hash_max_size 65536; server_names_hash_bucket_size 128;
      ${servers.join('\n')}`;
  return startNginx({ folder, port, http, patienceMs: 120_000 });
}
