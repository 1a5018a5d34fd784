export const title = 'Hello from Turborepo';
