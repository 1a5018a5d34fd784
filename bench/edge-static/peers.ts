import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startPeer, type Peer } from './servers.ts';
import { APPS_DOMAIN } from './site.ts';
import { SERVES_FILES, startNginx } from './start-nginx.ts';

/** Each serves the site as the edge does. */
export async function startStaticNginx(folder: string): Promise<Peer> {
  const port = await freePort();
  const http = `${SERVES_FILES}
      server {
        listen 127.0.0.1:${port}; server_name *.${APPS_DOMAIN}; root ${folder}/plain;
        gzip_static on; error_page 404 /404.html; open_file_cache max=1000;
        location / {
          try_files $uri $uri.html $uri/index.html =404;
          add_header Cache-Control "public, max-age=0, must-revalidate"; add_header X-Content-Type-Options nosniff;
        }
      }`;
  return startNginx({ folder, port, http });
}

export async function startCaddy(folder: string): Promise<Peer> {
  const port = await freePort();
  const file = join(folder, 'Caddyfile');
  const global = '{\n  admin off\n  auto_https off\n}';
  writeFileSync(
    file,
    `${global}
    http://*.${APPS_DOMAIN}:${port} {
      root * ${folder}/plain
      header Cache-Control "public, max-age=0, must-revalidate"
      header X-Content-Type-Options nosniff
      try_files {path} {path}.html {path}/index.html
      file_server {
        precompressed br gzip
      }
      handle_errors {
        rewrite * /404.html
        file_server
      }
    }\n`,
  );
  const env = { GOMAXPROCS: '1', XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  return startPeer({ name: 'caddy', port, argv: ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'], env });
}
