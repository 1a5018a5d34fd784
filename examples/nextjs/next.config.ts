import type { NextConfig } from 'next';

const config: NextConfig = {
  // output: 'export' would make this a static site.
  reactStrictMode: true,
};

export default config;
