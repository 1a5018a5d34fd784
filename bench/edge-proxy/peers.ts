import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startPeer, type Peer } from '../edge-static/servers.ts';
import { startNginx } from '../edge-static/start-nginx.ts';

type StartProxy = (folder: string, instancePort: number) => Promise<Peer>;

/** Each proxy by its defaults, but with connections that are kept, and with the client's address passed on. */
export const startNginxProxy: StartProxy = (folder, instancePort) =>
  startProxy({ name: 'nginx', folder, instancePort });

export const BUFFERED_NGINX = 'nginx with large buffers';
/** As who serves large answers would set it: by its defaults it takes 64 KB in many pieces. */
export const startBufferedNginxProxy: StartProxy = (folder, instancePort) =>
  startProxy({
    name: BUFFERED_NGINX,
    folder,
    instancePort,
    settings: 'proxy_buffer_size 64k; proxy_buffers 8 128k; proxy_busy_buffers_size 256k;',
  });

interface Proxy {
  name: string;
  folder: string;
  instancePort: number;
  settings?: string;
}

async function startProxy({ name, folder, instancePort, settings = '' }: Proxy): Promise<Peer> {
  const port = await freePort();
  const http = `upstream app { server 127.0.0.1:${instancePort}; keepalive 128; keepalive_requests 1000000000; }
      server {
        listen 127.0.0.1:${port} backlog=4096;
        location / {
          proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host;
          proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto $scheme;
          proxy_set_header X-Forwarded-Host $host; ${settings}
        }
      }`;
  return startNginx({ name, folder: join(folder, name.replaceAll(' ', '-')), port, http, connections: 4096 });
}

export async function startHaproxy(folder: string, instancePort: number): Promise<Peer> {
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `global
  maxconn 4096
  nbthread 1
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend public
  bind 127.0.0.1:${port}
  option forwardfor
  http-request set-header X-Forwarded-Proto http
  http-request set-header X-Forwarded-Host %[req.hdr(host)]
  default_backend app
backend app
  http-reuse always
  server one 127.0.0.1:${instancePort}
`,
  );
  return startPeer({ name: 'haproxy', port, argv: ['haproxy', '-db', '-f', file] });
}

export async function startCaddyProxy(folder: string, instancePort: number): Promise<Peer> {
  const port = await freePort();
  const own = join(folder, 'caddy');
  mkdirSync(own, { recursive: true });
  const file = join(own, 'Caddyfile');
  const global = '{\n  admin off\n  auto_https off\n}';
  writeFileSync(
    file,
    `${global}
    http://:${port} {
      reverse_proxy 127.0.0.1:${instancePort} {
        transport http {
          keepalive_idle_conns_per_host 128
        }
      }
    }\n`,
  );
  const env = { GOMAXPROCS: '1', XDG_DATA_HOME: own, XDG_CONFIG_HOME: own, HOME: own };
  return startPeer({ name: 'caddy', port, argv: ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'], env });
}
