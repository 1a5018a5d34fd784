/** Raised when `deploy/stack/` changes what programs find: every engine then needs the new image. */
const STACK_VERSION = '1';

/** What instances run on where they are containers. `deploy/stack/` makes it. */
export const STACK_IMAGE = `lilac-stack:${STACK_VERSION}`;

/** What the image is told besides its files. */
export const stackSettings = {
  Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'LANG=C.UTF-8'],
  Cmd: ['node', '--version'],
};
