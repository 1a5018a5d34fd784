/** Libraries that a server is written with, the more telling first: many bring Express along. */
export const serverLibraries: readonly { slug: string; packages: readonly string[] }[] = [
  { slug: 'elysia', packages: ['elysia'] },
  { slug: 'hono', packages: ['hono'] },
  { slug: 'fastify', packages: ['fastify'] },
  { slug: 'feathers', packages: ['@feathersjs/feathers'] },
  { slug: 'loopback', packages: ['@loopback/core'] },
  { slug: 'sails', packages: ['sails'] },
  { slug: 'hapi', packages: ['@hapi/hapi'] },
  { slug: 'koa', packages: ['koa'] },
  { slug: 'h3', packages: ['h3'] },
  { slug: 'express', packages: ['express'] },
  { slug: 'polka', packages: ['polka'] },
  { slug: 'restify', packages: ['restify'] },
];
